import { describe, expect, it } from 'vitest';
import { keptOf, notUndone, type DocumentUndo } from '../../src/lib/canon/participants/document/kept.js';
import { emptyReport } from '../../src/lib/canon/participants/document/timeline/stand/report.js';
import { es } from '../../src/lib/langs/es/index.js';

type Report = Parameters<typeof keptOf>[0];
const report = (some: Partial<Report>, left = 0): DocumentUndo =>
	keptOf({ ...emptyReport(), ...some }, 1, 'undo', left);

/** Everything a document may keep at an undo. */
const all = [
	...[1, 2].flatMap((count) => [
		report({ guests: count }),
		report({ guests: count, kept: 1 }),
		report({ kept: count }),
		report({ stuck: count }),
		report({ placedBehind: count }),
		report({ reborn: count }),
		report({ homeless: count }),
		report({}, count)
	]),
	report({ code: 'document-replaced' }),
	report({ code: 'undo-failed' }),
	...(['read-only', 'not-ready', 'destroyed', 'prevented', 'run-live', 'composing'] as const).map(notUndone)
];

describe('why a document keeps something', () => {
	it('is said in Spanish, each reason and each thing', () => {
		expect(all).toHaveLength(24);
		for (const { kept } of all) {
			expect(kept).toHaveLength(1);
			const [{ what, why }] = kept as [(typeof kept)[number]];
			const said = es.aura.kept(what, why);
			expect(said).not.toContain(why.replace(/\.$/, ''));
			expect(said).not.toMatch(/document\b|character|block/);
		}
	});
	it('as a person would say it', () => {
		const say = ({ kept }: DocumentUndo) => kept.map(({ what, why }) => es.aura.kept(what, why));
		expect(say(report({ guests: 3 }))).toEqual([
			'Se conserva: 3 caracteres tuyos (están dentro de lo que se deshizo).'
		]);
		expect(say(report({}, 1))).toEqual([
			'Se conserva: 1 carácter (son palabras de antes de abrir el editor o copiadas después; quítalas a mano).'
		]);
		expect(say(notUndone('read-only'))).toEqual([
			'Se conserva: el documento (el editor es de solo lectura).'
		]);
	});
});
