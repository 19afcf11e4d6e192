import { describe, expect, it } from 'vitest';
import {
	cueOf,
	holdOf,
	INTENTS,
	isDelegateVerb,
	isFamily,
	isIntent,
	isVerb,
	VOCABULARY,
	type Family,
	type Verb
} from '../../src/lib/uix/sema/index.js';
import { agentHue } from '../../src/lib/uix/eidos/index.js';
import { GLYPHS } from '../../src/lib/canon/surfaces/glyph/glyphs.js';

describe('the vocabulary', () => {
	it('S2-08 has the seven verbs of delegation', () => {
		expect(VOCABULARY.delegate).toEqual([
			'offer',
			'plan',
			'authorize',
			'act',
			'review',
			'escalate',
			'return'
		]);
	});

	it('is closed: it knows its own words and no others', () => {
		expect(isFamily('delegate')).toBe(true);
		expect(isFamily('toString')).toBe(false);
		expect(isVerb('commit', 'apply')).toBe(true);
		expect(isVerb('commit', 'plan')).toBe(false);
		expect(isDelegateVerb('escalate')).toBe(true);
		expect(isDelegateVerb('apply')).toBe(false);
		expect(isIntent('risk')).toBe(true);
		expect(isIntent('joy')).toBe(false);
		expect(new Set(INTENTS).size).toBe(INTENTS.length);
	});

	it('S2-105 holds every verb long enough to be read', () => {
		for (const [family, verbs] of Object.entries(VOCABULARY))
			for (const verb of verbs) expect(holdOf(family as Family, verb as Verb)).toBeGreaterThanOrEqual(600);
	});

	it('S2-105 holds what needs the person, and the return of control, longer than progress', () => {
		for (const verb of ['review', 'escalate', 'return'] as const)
			expect(holdOf('delegate', verb)).toBeGreaterThan(holdOf('delegate', 'act'));
		expect(holdOf('signal', 'warn')).toBeGreaterThan(holdOf('delegate', 'act'));
	});

	it('S2-105 gives each verb of delegation one cue, no two alike, none by motion alone', () => {
		const cues = VOCABULARY.delegate.map(cueOf);
		const still = cues.map(({ line, glyph }) => `${line} ${glyph}`);
		expect(new Set(still).size).toBe(7);
		for (const cue of cues) expect(GLYPHS).toHaveProperty(cue.glyph);
	});
});

describe('the hue of an agent', () => {
	it('is the same for the same id, and within what keeps its contrast', () => {
		for (const id of ['ada', 'bruno', 'クレア', '']) {
			expect(agentHue(id)).toBe(agentHue(id));
			expect(agentHue(id)).toBeGreaterThanOrEqual(140);
			expect(agentHue(id)).toBeLessThanOrEqual(330);
		}
	});

	it('keeps 30 or more apart on one page while there is a free one', () => {
		const taken: number[] = [];
		for (let agent = 0; agent < 6; agent++) taken.push(agentHue('same', taken));
		const sorted = [...taken].sort((a, b) => a - b);
		for (let at = 1; at < sorted.length; at++)
			expect(sorted[at]! - sorted[at - 1]!).toBeGreaterThanOrEqual(30);
		expect(taken).toContain(agentHue('same', taken));
	});
});
