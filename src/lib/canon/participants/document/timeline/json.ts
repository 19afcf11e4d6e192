import { Mark, type Attrs, type Node, type Schema } from 'prosemirror-model';
import type { Entry } from './entry.js';
import { livingSize, type Piece, type Sign } from './row/piece.js';
import { rowSize, type Token } from './row/token.js';
import { PieceTree } from './row/tree.js';
import type { Op } from './row/value.js';
import { freshTable, type RunRecord, type Table } from './table.js';

/** Raised when the shape changes; another one is refused. */
const VERSION = 1;

/** A table as plain JSON. Saved with its document, it lets runs be taken back after a reload. @since 0.1.0 */
export interface TimelineJSON {
	readonly version: number;
	/** Of the document it describes: it fits no other. */
	readonly digest: string;
	readonly pieces: readonly WirePiece[];
	readonly docOps: readonly WireOp[];
	readonly runs: Readonly<Record<string, RunRecord>>;
	readonly deletions: number;
	readonly signs: number;
	readonly owes: boolean;
	readonly owed?: readonly string[];
	/** Runs that Mod-z takes back; the person's history is not saved by ProseMirror, so their events are not here. */
	readonly units: readonly string[];
	readonly undone: readonly string[];
}

/** A side that is missing: the attribute was not there at all. */
type WireOp = Partial<Op>;
type WireToken =
	| { readonly text: string; readonly marks?: readonly unknown[] }
	| {
			readonly kind: 'open' | 'close' | 'leaf';
			readonly type: string;
			readonly attrs: Attrs;
			readonly marks?: readonly unknown[];
	  };
interface WirePiece {
	readonly size: number;
	readonly dead?: readonly WireToken[];
	readonly ins?: string;
	readonly dels?: readonly string[];
	readonly ops?: readonly WireOp[];
	readonly sign?: Sign;
	readonly away?: string;
	readonly guest?: string;
}

/** The table as JSON. */
export function timelineToJSON(table: Table): TimelineJSON {
	const { doc, pieces, docOps, runs, deletions, signs, owes, owed, units, undone } = table;
	return {
		version: VERSION,
		digest: digestOf(doc),
		pieces: pieces.toArray().map(wirePiece),
		docOps: docOps.map(wireOp),
		runs,
		deletions,
		signs,
		owes,
		...(owed.length > 0 && { owed }),
		units: units.flatMap((entry) => (entry.by === 'run' ? [entry.run] : [])),
		undone: undone.flatMap((entry) => (entry.by === 'run' ? [entry.run] : []))
	};
}

/**
 * The table of `doc` from JSON. What does not fit the document, or cannot be read, is refused: then everything in the
 * document is the person's, which is never wrong. A run that was live when it was saved has ended.
 */
export function timelineFromJSON(json: unknown, doc: Node): Table {
	try {
		return read(json as TimelineJSON, doc) ?? freshTable(doc);
	} catch {
		// A type or a mark the schema does not know; something that was never a table.
		return freshTable(doc);
	}
}

function read(json: TimelineJSON, doc: Node): Table | null {
	if (json?.version !== VERSION || json.digest !== digestOf(doc)) return null;
	const { schema } = doc.type;
	const pieces = json.pieces.map((it) => readPiece(it, schema));
	if (pieces.reduce((sum, it) => sum + livingSize(it), 0) !== doc.content.size) return null;
	const known = (run: string): Entry[] => (Object.hasOwn(json.runs, run) ? [{ by: 'run', run }] : []);
	return {
		doc,
		pieces: PieceTree.of(pieces),
		docOps: json.docOps.map((op) => readOp(op, schema)),
		runs: Object.fromEntries(Object.entries(json.runs).map(([run, it]) => [run, { ...it, live: false }])),
		deletions: json.deletions,
		signs: json.signs,
		owes: json.owes,
		owed: json.owed ?? [],
		// The history begins anew, so nothing that the person deleted before can come back by it.
		forgotten: 0,
		moments: [],
		units: json.units.flatMap(known),
		undone: json.undone.flatMap(known)
	};
}

const isMarkKey = (key: string): boolean => key.startsWith('m:');
const wireValue = (key: string, value: unknown): unknown =>
	isMarkKey(key) && value instanceof Mark ? value.toJSON() : value;
const readValue = (key: string, value: unknown, schema: Schema): unknown =>
	isMarkKey(key) && value ? Mark.fromJSON(schema, value) : value;

const wireOp = ({ key, by, was, now }: Op): WireOp => ({
	key,
	by,
	...(was !== undefined && { was: wireValue(key, was) }),
	...(now !== undefined && { now: wireValue(key, now) })
});
const readOp = ({ key = '', by = '', was, now }: WireOp, schema: Schema): Op => ({
	key,
	by,
	was: readValue(key, was, schema),
	now: readValue(key, now, schema)
});

const wireMarks = (marks: readonly Mark[]): { marks?: readonly unknown[] } =>
	marks.length > 0 ? { marks: marks.map((mark) => mark.toJSON() as unknown) } : {};

const wireToken = (token: Token): WireToken =>
	token.kind === 'text'
		? { text: token.text, ...wireMarks(token.marks) }
		: { kind: token.kind, type: token.type.name, attrs: token.attrs, ...wireMarks(token.marks) };

function readToken(token: WireToken, schema: Schema): Token {
	const marks = (token.marks ?? []).map((mark) => Mark.fromJSON(schema, mark));
	if ('text' in token) return { kind: 'text', text: token.text, marks };
	const type = schema.nodes[token.type];
	if (!type) throw new RangeError(`The schema has no node type ${token.type}.`);
	return { kind: token.kind, type, attrs: token.attrs, marks };
}

const wirePiece = (it: Piece): WirePiece => ({
	size: it.size,
	...(it.dead && { dead: it.dead.map(wireToken) }),
	...(it.ins !== null && { ins: it.ins }),
	...(it.dels.length > 0 && { dels: it.dels }),
	...(it.ops.length > 0 && { ops: it.ops.map(wireOp) }),
	...(it.sign && { sign: it.sign }),
	...(it.away !== null && { away: it.away }),
	...(it.guest !== null && { guest: it.guest })
});

function readPiece(it: WirePiece, schema: Schema): Piece {
	const dead = it.dead ? it.dead.map((token) => readToken(token, schema)) : null;
	return {
		size: dead ? rowSize(dead) : it.sign ? 0 : it.size,
		dead,
		ins: it.ins ?? null,
		dels: it.dels ?? [],
		ops: (it.ops ?? []).map((op) => readOp(op, schema)),
		sign: it.sign ?? null,
		away: it.away ?? null,
		guest: it.guest ?? null
	};
}

/** 64 bits over the document: enough to tell a document from what it was a while ago. */
function digestOf(doc: Node): string {
	let low = 0x811c9dc5;
	let high = 0x1000193;
	for (const char of JSON.stringify(doc.toJSON())) {
		const code = char.codePointAt(0)!;
		low = Math.imul(low ^ code, 0x01000193);
		high = Math.imul(high ^ code, 0x85ebca6b) ^ (low >>> 15);
	}
	return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}
