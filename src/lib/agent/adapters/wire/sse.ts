import { Fault } from './fault.js';

/** One message of a stream: an event of an event stream, or a line. @internal */
export interface Frame {
	/** Type of the event; `message` where the wire names none. */
	event: string;
	data: string;
	id?: string;
}

/** Cuts bytes, which may be cut anywhere themselves, into frames. @internal */
export interface FrameReader {
	/** What is whole by now; to be read to its end. Throws at a frame that is too long, after those before it. */
	push(bytes: Uint8Array): Iterable<Frame>;
	/** What is left at the end of the stream, though nothing closed it. */
	end(): Iterable<Frame>;
}

/** Where lines end. A CR may be the first half of a CRLF whose second half comes with the next piece. */
const BREAK = /\r\n?|\n/g;

/**
 * Reads a stream of bytes line by line, in time linear in its length.
 * @internal
 */
abstract class Lines implements FrameReader {
	readonly #decoder = new TextDecoder();
	readonly #most: number;
	/** Of the line being read. */
	#parts: string[] = [];
	#isAfterCR = false;
	/** Characters of the frame being read. */
	protected held = 0;

	/** @param most longest frame as it stands on the wire, in characters, line breaks not counted */
	constructor(most: number) {
		this.#most = most;
	}

	/** Takes a line. @returns the frame that it ends */
	protected abstract line(line: string): Frame | undefined;
	/** The frame that nothing ended. */
	protected abstract last(): Frame | undefined;

	push(bytes: Uint8Array): Iterable<Frame> {
		return this.#read(this.#decoder.decode(bytes, { stream: true }));
	}

	*end(): Iterable<Frame> {
		yield* this.#read(this.#decoder.decode());
		const frames = [this.#parts.length > 0 ? this.#close() : undefined, this.last()];
		for (const frame of frames) if (frame) yield frame;
	}

	*#read(text: string): Iterable<Frame> {
		if (text === '') return;
		let from = this.#isAfterCR && text[0] === '\n' ? 1 : 0;
		this.#isAfterCR = text.endsWith('\r');
		// Each reader its own place: while one rests at a frame, another may read.
		const breaks = new RegExp(BREAK);
		breaks.lastIndex = from;
		for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
			this.#hold(text.slice(from, found.index));
			from = breaks.lastIndex;
			const frame = this.#close();
			if (frame) yield frame;
		}
		if (from < text.length) this.#hold(text.slice(from));
	}

	#hold(part: string): void {
		this.held += part.length;
		if (this.held > this.#most)
			throw new Fault('protocol', `A message is longer than ${this.#most} characters.`);
		this.#parts.push(part);
	}

	#close(): Frame | undefined {
		const line = this.#parts.join('');
		this.#parts = [];
		return this.line(line);
	}
}

/**
 * Server-sent events: CR, LF and CRLF, a byte order mark, comments, several data lines, an event at the end of the stream that
 * no blank line closed (a browser drops that one; servers that forget the line are not rare, and a cut one does not parse).
 * @see WHATWG HTML, section 9.2.6, Interpreting an event stream
 * @internal
 */
export class EventReader extends Lines {
	#event = '';
	#data: string[] = [];
	#id: string | undefined;

	protected line(line: string): Frame | undefined {
		if (line === '') return this.last();
		const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
		if (name === 'data') this.#data.push(value);
		// Only what is kept counts on: comments may come for ever.
		else this.held -= line.length;
		if (name === 'event') this.#event = value;
		if (name === 'id' && !value.includes('\0')) this.#id = value;
		return undefined;
	}

	protected last(): Frame | undefined {
		const event = this.#event || 'message';
		const data = this.#data;
		this.#event = '';
		this.#data = [];
		this.held = 0;
		if (data.length === 0) return undefined;
		return { event, data: data.join('\n'), ...(this.#id === undefined ? undefined : { id: this.#id }) };
	}
}

/** JSON by lines, one message a line; the last needs no line break. @internal */
export class LineReader extends Lines {
	protected line(line: string): Frame | undefined {
		this.held = 0;
		return line.trim() === '' ? undefined : { event: 'message', data: line };
	}

	protected last(): undefined {
		// A line is a frame as soon as it is over.
	}
}
