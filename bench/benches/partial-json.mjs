import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parsePartialJson } from 'ai';
import { parse as jsonriver } from 'jsonriver';
import { parse as partialJson } from 'partial-json';
import { source } from '../source.mjs';

/** Characters in one delta, as providers send them. */
const DELTA = 20;
const SIZE = 200_000;

/** Beyond this many milliseconds a measurement is not repeated. */
const LONG = 1000;

/** Arguments of a call that writes a long text: one string, with what prose escapes. */
function prose(/** @type {number} */ size) {
	const words = 'Dear Ms. Meyer,\nthe "second" instalment — 1.280,50 € — is due on 14 January.\t👍 ';
	let text = '';
	while (text.length < size) text += words;
	return JSON.stringify({ instance: 'letter', after: 'b7', text: text.slice(0, size) });
}

/** Arguments that are many small objects. */
function rows(/** @type {number} */ size) {
	const list = [];
	for (let left = size, i = 0; left > 0; i += 1) {
		const row = { id: i, name: `Row ${i}`, done: i % 3 === 0, amount: i * 1.25, tags: ['a', 'b'] };
		left -= JSON.stringify(row).length + 1;
		list.push(row);
	}
	return JSON.stringify({ instance: 'table', rows: list });
}

/** @param {string} text */
const deltas = (text) => text.match(new RegExp(`[\\s\\S]{1,${DELTA}}`, 'g')) ?? [];

/**
 * CPU in milliseconds: the best of some runs, so that a busy machine counts least.
 * @param {() => unknown} run
 */
async function cpu(run, times = 15) {
	let best = Infinity;
	for (let i = 0; i < times; i += 1) {
		const before = process.cpuUsage();
		await run();
		const { user, system } = process.cpuUsage(before);
		best = Math.min(best, (user + system) / 1000);
		if (best > LONG) break;
	}
	return best;
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

const { devDependencies: pinned } = JSON.parse(
	readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
);

/** CPU for reading streamed arguments, what is known looked at after each delta. */
export async function bench() {
	const { PartialJSON } = await source('agent/protocol/partial-json.ts');
	/** What is read after each delta, so that no reader can put its work off. */
	let seen = 0;
	/** @type {Record<string, (pieces: string[]) => unknown>} */
	const readers = {
		ours(pieces) {
			const reader = new PartialJSON();
			for (const piece of pieces) {
				reader.push(piece);
				seen += reader.value?.text?.length ?? reader.value?.rows?.length ?? 0;
			}
			if (reader.end() !== 'complete') throw new Error('Ours did not read it to its end.');
		},
		async jsonriver(pieces) {
			async function* feed() {
				yield* pieces;
			}
			for await (const value of jsonriver(feed())) seen += value.text?.length ?? value.rows?.length ?? 0;
		},
		'partial-json'(pieces) {
			let text = '';
			for (const piece of pieces) {
				const value = partialJson((text += piece));
				seen += value.text?.length ?? value.rows?.length ?? 0;
			}
		},
		async ai(pieces) {
			let text = '';
			for (const piece of pieces) {
				const { value } = await parsePartialJson((text += piece));
				seen += value?.text?.length ?? value?.rows?.length ?? 0;
			}
		},
		'JSON.parse at the end'(pieces) {
			seen += Object.keys(JSON.parse(pieces.join(''))).length;
		}
	};
	// The first look at a program is the compiler's.
	for (const read of Object.values(readers)) for (let i = 0; i < 20; i += 1) await read(deltas(prose(5000)));

	const sizes = [SIZE / 4, SIZE, SIZE * 2];
	const cells = (/** @type {(number | string)[]} */ ...values) =>
		values.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(12)).join('');
	const table = ['CPU ms'.padEnd(34) + cells('50 KB', '200 KB', '400 KB', 'rows 200 KB')];
	/** @type {Record<string, { ms50KB: number, ms200KB: number, ms400KB?: number, msRows200KB?: number }>} */
	const figures = {};
	for (const [name, read] of Object.entries(readers)) {
		const [small, whole] = [
			await cpu(() => read(deltas(prose(sizes[0])))),
			await cpu(() => read(deltas(prose(SIZE))))
		];
		// Who parses again at each delta takes minutes for the double.
		const twice = whole > LONG ? undefined : await cpu(() => read(deltas(prose(sizes[2]))));
		const list = whole > LONG ? undefined : await cpu(() => read(deltas(rows(SIZE))));
		figures[name] = {
			ms50KB: rounded(small),
			ms200KB: rounded(whole),
			...(twice === undefined ? {} : { ms400KB: rounded(twice) }),
			...(list === undefined ? {} : { msRows200KB: rounded(list) })
		};
		const peer = pinned[name] ? `${name} ${pinned[name]}` : name;
		table.push(peer.padEnd(34) + cells(small, whole, twice ?? 'not run', list ?? 'not run'));
	}
	if (seen === 0) throw new Error('Nobody read anything.');
	const { ours, 'JSON.parse at the end': _floor, ...peers } = figures;
	return {
		figures: {
			ms200KB: ours.ms200KB,
			growth: rounded(ours.ms400KB / ours.ms200KB),
			msRows200KB: ours.msRows200KB
		},
		peers,
		ratio: rounded(peers.jsonriver.ms200KB / ours.ms200KB),
		table,
		notes: [
			`Deltas of ${DELTA} characters; what is known is looked at after each; best of 15, a run over a second once.`,
			'200 KB: one long text with escapes. rows: small objects in a list.',
			'ratio: jsonriver, the fastest peer, ÷ ours. growth: time at 400 KB ÷ time at 200 KB.',
			'partial-json and the parser of ai parse all of it again at each delta; a caller who does so less often pays less.',
			'A text is put together, not copied: who looks into it, as once a frame, pays its length each time, with ours and with jsonriver.',
			'jsonriver is asynchronous: part of its time is one promise for each delta.'
		]
	};
}
