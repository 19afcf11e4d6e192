import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventReader, LineReader, type Frame } from '$lib/agent/adapters/wire/sse.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What is read of pieces, whatever stops it. */
function readBy(reader: EventReader | LineReader, pieces: readonly Uint8Array[]): (Frame | 'fault')[] {
	const frames: (Frame | 'fault')[] = [];
	try {
		for (const piece of pieces) for (const frame of reader.push(piece)) frames.push(frame);
		for (const frame of reader.end()) frames.push(frame);
	} catch {
		frames.push('fault');
	}
	return frames;
}

/** Each way to cut: whole, sign by sign, and once at every place. */
function cuts(whole: Uint8Array): Uint8Array[][] {
	const single = [...whole].map((byte) => Uint8Array.of(byte));
	const once = [...whole].map((_, at) => [whole.subarray(0, at), whole.subarray(at)]);
	return [[whole], single, ...once];
}

const read = (text: string, most = 1_000): unknown[] => {
	const [first, ...others] = cuts(bytes(text)).map((pieces) => readBy(new EventReader(most), pieces));
	for (const other of others) expect(other).toEqual(first);
	return first!.map((frame) => (frame === 'fault' ? frame : frame.data));
};

describe('server-sent events', () => {
	test.each([
		['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
		['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
		['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
		['all three', 'data: a\r\n\rdata: b\n\r\ndata: c\r\r\n\n', ['a', 'b', 'c']],
		['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
		['comments', ': stream-open\n\n:\n: data: x\ndata: a\n:keep-alive\n\n', ['a']],
		['several data lines', 'data: a\ndata:b\ndata:\ndata:  c\n\n', ['a\nb\n\n c']],
		['a field without a colon', 'data\ndata\n\nevent\nretry\ndata: a\n\n', ['\n', 'a']],
		['data that is empty', 'data:\n\n', ['']],
		['data without a space', 'data:a\n\n', ['a']],
		['a colon in what it says', 'data: {"a":1}\n\n', ['{"a":1}']],
		['names that only look alike', 'Data: a\n data: b\ndata : c\ndatas: d\n\n', []],
		['an event that nobody closed', 'data: a\n\ndata: b', ['a', 'b']],
		['an event whose line is over', 'data: b\n', ['b']],
		['no event', '\n\n\r\n\r', []],
		['no bytes', '', []],
		['the end of chat completions', 'data: [DONE]\n\n', ['[DONE]']],
		['many bytes a sign', 'data: Größe 👍🏽 ｱ \u2028 \u0085 \f\n\n', ['Größe 👍🏽 ｱ \u2028 \u0085 \f']]
	])('S2-23 %s, cut anywhere', (_, text, data) => {
		expect(read(text)).toEqual(data);
	});

	test('S2-23 type and id are told; an id stays, one with a NUL is none, retry is not ours', () => {
		const [frames] = cuts(
			bytes('id: 1\nevent: ping\nretry: 10\ndata: a\n\ndata: b\n\nid: \0\nevent:\ndata: c\n\nid\ndata: d\n\n')
		).map((pieces) => readBy(new EventReader(1_000), pieces));
		expect(frames).toEqual([
			{ event: 'ping', data: 'a', id: '1' },
			{ event: 'message', data: 'b', id: '1' },
			{ event: 'message', data: 'c', id: '1' },
			{ event: 'message', data: 'd', id: '' }
		]);
	});

	test('S2-23 an event without data is none, and leaves its type to nobody', () => {
		expect(readBy(new EventReader(99), [bytes('event: x\n\ndata: a\n\n')])).toEqual([
			{ event: 'message', data: 'a' }
		]);
	});

	test('S2-23 bytes that are no UTF-8 are replaced, and the stream goes on', () => {
		const broken = [...bytes('data: a'), 0xff, 0xc3, ...bytes('b\n\ndata: c\n\n'), 0xe2];
		const [first, ...others] = cuts(Uint8Array.from(broken)).map((pieces) =>
			readBy(new EventReader(1_000), pieces)
		);
		expect(first).toEqual([
			{ event: 'message', data: 'a\uFFFD\uFFFDb' },
			{ event: 'message', data: 'c' }
		]);
		for (const other of others) expect(other).toEqual(first);
	});

	test('S2-23 an event of the greatest size passes, one sign more does not, and what came before is kept', () => {
		const fits = `data: ${'x'.repeat(14)}\n\n`;
		expect(read(fits.repeat(3), 20)).toEqual(Array(3).fill('x'.repeat(14)));
		expect(read(`${fits}data: ${'x'.repeat(15)}\n\n${fits}`, 20)).toEqual(['x'.repeat(14), 'fault']);
		expect(read(`${fits}data: ${'x'.repeat(15)}`, 20)).toEqual(['x'.repeat(14), 'fault']);
	});

	test('S2-23 lines of one event are counted together, comments without end are not', () => {
		expect(read('data: a\ndata: b\ndata: c\n\n', 20)).toEqual(['fault']);
		expect(read(`${': beat\n'.repeat(20)}data: a\n${': beat\n'.repeat(20)}\n`, 20)).toEqual(['a']);
		expect(read(`: ${'-'.repeat(30)}`, 20)).toEqual(['fault']);
	});

	test('S2-23 a stream that has only begun shows what is whole', () => {
		const reader = new EventReader(99);
		expect([...reader.push(bytes('data: a\r'))]).toEqual([]);
		expect([...reader.push(bytes('\r'))]).toEqual([{ event: 'message', data: 'a' }]);
		expect([...reader.push(bytes('\ndata: b\n\nda'))]).toEqual([{ event: 'message', data: 'b' }]);
	});
});

describe('an oracle', () => {
	const text = fc.oneof(
		fc.constantFrom('', ' ', 'a', '[DONE]', '{"a":1}', '👍', 'ä:b', ' \uFEFF'),
		fc.string({ unit: fc.constantFrom('a', ' ', ':', 'é', '👍', '\0') })
	);
	const line = fc.oneof(
		{ weight: 4, arbitrary: text.map((value) => `data:${value}`) },
		{ weight: 3, arbitrary: fc.constant('') },
		...['event:', 'id:', 'retry:', ':', ''].map((lead) => text.map((value) => `${lead}${value}`)),
		fc.constantFrom('data', 'event', 'id', 'retry')
	);
	const stream = fc
		.tuple(
			fc.boolean(),
			fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { minLength: 4, maxLength: 30 })
		)
		.map(([mark, lines]) => (mark ? '\uFEFF' : '') + lines.flat().join(''));

	/**
	 * What eventsource-parser reads, and where we mean to differ: it looks for a byte order mark in bytes that were not decoded,
	 * keeps a CR at the very end until more comes, forgets an id with its event, and drops an event that no blank line closed.
	 */
	function oracle(given: string): unknown[] {
		const events: unknown[] = [];
		const parser = createParser({
			onEvent: ({ event = 'message', data }) => {
				events.push({ event, data });
			}
		});
		parser.feed(`${given.replace(/^\uFEFF/, '')}\n\n\n`);
		return events;
	}

	test('S2-23 reads the same as eventsource-parser, whatever the stream and its cuts', () => {
		let seen = 0;
		fc.assert(
			fc.property(stream, fc.array(fc.nat()), (given, places) => {
				const whole = bytes(given);
				const at = [0, ...places.map((place) => place % (whole.length + 1)), whole.length].sort(
					(a, b) => a - b
				);
				const pieces = at.slice(1).map((end, i) => whole.subarray(at[i], end));
				const frames = readBy(new EventReader(10_000), pieces);
				seen += frames.length;
				expect(frames.map((frame) => frame !== 'fault' && { event: frame.event, data: frame.data })).toEqual(
					oracle(given)
				);
			}),
			{ numRuns: 500 }
		);
		expect(seen).toBeGreaterThan(500);
	});
});

describe('JSON by lines', () => {
	const lines = (given: string, most = 1_000): unknown[] => {
		const [first, ...others] = cuts(bytes(given)).map((pieces) => readBy(new LineReader(most), pieces));
		for (const other of others) expect(other).toEqual(first);
		return first!.map((frame) => (frame === 'fault' ? frame : frame.data));
	};

	test.each([
		['one a line', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
		['CRLF, blank lines and a mark', '\uFEFF{"a":1}\r\n\r\n  \r\n{"b":2}\r\n', ['{"a":1}', '{"b":2}']],
		['no line break at the end', '{"a":1}\n{"b":"ü"}', ['{"a":1}', '{"b":"ü"}']],
		['nothing', '', []]
	])('S2-23 %s, cut anywhere', (_, given, data) => {
		expect(lines(given)).toEqual(data);
	});

	test('S2-23 a line of the greatest size passes, one sign more does not', () => {
		expect(lines('12345\n12345\n123456\n1', 5)).toEqual(['12345', '12345', 'fault']);
	});
});
