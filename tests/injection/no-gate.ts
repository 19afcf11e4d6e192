import type { admit } from '../../src/lib/agent/gate/admit.js';
import type { assess } from '../../src/lib/agent/gate/assess.js';

/**
 * The gate switched off, as the negative control of the matrix: the two functions that decide are replaced by ones that
 * let everything pass. What is left is what no gate decides, such as a schema or a component that is gone.
 */
export const ungatedAssess =
	(real: typeof assess): typeof assess =>
	(about) => {
		const seen = real(about);
		return seen.verdict === 'refuse' ? seen : { ...seen, verdict: 'allow', reasons: [] };
	};

export const ungatedAdmit: typeof admit = ({ grant }, { missing }) =>
	missing
		? { verdict: 'refused', reasons: [missing] }
		: { verdict: 'admitted', fingerprint: grant?.fingerprint ?? '' };

/** A simpler gate, for comparison: it asks for what cannot be undone, and knows nothing of labels. */
export const unlabelledAssess =
	(real: typeof assess): typeof assess =>
	(about) => {
		const seen = real(about);
		if (seen.verdict === 'refuse') return seen;
		const reasons = seen.reasons.filter(({ code }) => code === 'irreversible');
		return { ...seen, verdict: reasons.length > 0 ? 'ask' : 'allow', reasons };
	};

/** Another, for comparison: it asks for every act that changes anything. */
export const askingAssess =
	(real: typeof assess): typeof assess =>
	(about) => {
		const seen = real(about);
		if (seen.verdict !== 'allow' || about.found.act.effect === 'none') return seen;
		return { ...seen, verdict: 'ask', reasons: [{ code: 'level', text: 'Everything is asked for.' }] };
	};
