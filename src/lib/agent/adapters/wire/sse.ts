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
	push(bytes: Uint8Array): readonly Frame[];
	/** What is left at the end of the stream, though nothing closed it. */
	end(): readonly Frame[];
}

/** Where lines end. A CR may be the first half of a CRLF whose second half comes with the next piece. */
const BREAK = /\r\n|\n|\r/g;

/**
 * Reads a stream of bytes line by line, in time linear in its length.
 * @internal
 */
abstract class Lines implements FrameReader {
	readonly #decoder = new TextDecoder();
	readonly #most: number;
	#parts: string[] = [];
	#afterCR = false;
	/** Characters since the last frame. */
	#held = 0;
	protected frames: Frame[] = [];

	/** @param most longest frame, in characters */
	constructor(most: number) {
		this.#most = most;
	}

	protected abstract line(line: string): void;
	protected abstract last(): void;

	push(bytes: Uint8Array): readonly Frame[] {
		this.#read(this.#decoder.decode(bytes, { stream: true }));
		return this.#taken();
	}

	end(): readonly Frame[] {
		this.#read(this.#decoder.decode());
		if (this.#parts.length > 0) this.#close('');
		this.last();
		return this.#taken();
	}

	#read(text: string): void {
		if (text === '') return;
		let from = this.#afterCR && text.startsWith('\n') ? 1 : 0;
		this.#afterCR = text.endsWith('\r');
		BREAK.lastIndex = from;
		for (let found = BREAK.exec(text); found; found = BREAK.exec(text)) {
			this.#close(text.slice(from, found.index));
			from = BREAK.lastIndex;
		}
		if (from < text.length) this.#parts.push(text.slice(from));
		const before = this.frames.length;
		this.#held = before > 0 ? text.length - from : this.#held + text.length;
		if (this.#held > this.#most)
			throw new Fault('protocol', `A message is longer than ${this.#most} characters.`);
	}

	#close(rest: string): void {
		const line = this.#parts.length > 0 ? this.#parts.join('') + rest : rest;
		this.#parts = [];
		this.line(line);
	}

	#taken(): readonly Frame[] {
		const { frames } = this;
		this.frames = [];
		return frames;
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

	protected line(line: string): void {
		if (line === '') return this.last();
		const colon = line.indexOf(':');
		if (colon === 0) return;
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
		if (name === 'data') this.#data.push(value);
		else if (name === 'event') this.#event = value;
		else if (name === 'id' && !value.includes('\0')) this.#id = value;
	}

	protected last(): void {
		if (this.#data.length > 0) {
			const data = this.#data.join('\n');
			this.frames.push({
				event: this.#event || 'message',
				data,
				...(this.#id === undefined ? undefined : { id: this.#id })
			});
		}
		this.#event = '';
		this.#data = [];
	}
}

/** JSON by lines, one message a line; the last needs no line break. @internal */
export class LineReader extends Lines {
	protected line(line: string): void {
		if (line.trim() !== '') this.frames.push({ event: 'message', data: line });
	}

	protected last(): void {
		// A line is a frame as soon as it is over.
	}
}
