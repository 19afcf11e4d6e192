/**
 * Why a text was not taken: `schema` the editor has no such thing, or not in that place · `link` an address that is
 * neither http, https, mailto nor relative · `placeholder` a line that stands for something Markdown cannot say, and
 * nothing to put back · `depth` nested too deep · `size` too long.
 * @since 0.1.0
 */
export type MarkdownCode = 'schema' | 'link' | 'placeholder' | 'depth' | 'size';

/** A refused text: what, on which line (from 1), and what the editor takes instead. @since 0.1.0 */
export interface MarkdownRefusal {
	readonly ok: false;
	readonly code: MarkdownCode;
	/** A whole sentence, made for the one who wrote the text. */
	readonly text: string;
	/** The line on which the block begins, from 1. */
	readonly line: number;
}

/** The way out of a nested parse; it never leaves the room. @internal */
export class Refusing extends Error {
	constructor(
		readonly code: MarkdownCode,
		readonly line: number,
		text: string
	) {
		super(`Line ${line}: ${text}`);
	}

	value(): MarkdownRefusal {
		return { ok: false, code: this.code, text: this.message, line: this.line };
	}
}
