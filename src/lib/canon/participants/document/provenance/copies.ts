import type { Node, Slice } from 'prosemirror-model';
import { isRemark, remarkOf } from './remarks.js';
import { blockWrittenBy, sameWritten, textWrittenBy, type Written } from './written.js';

/**
 * What was copied out of this app's editors, so that a paste can be believed. Anybody's page may write the attributes of
 * provenance and of comments into its HTML; only who copied the very words here knows the key, and the key vouches for those words alone.
 * @since 0.1.0
 */
export interface CopyBook {
	/** Keeps what is claimed under a key. */
	keep(key: string, claims: string): void;
	/** What was kept, if it still is. */
	claims(key: string): string | undefined;
}

const KEPT = 20;

/** Keeps the last 20 copies in memory: enough within one page. @since 0.1.0 */
export function memoryCopies(): CopyBook {
	const kept = new Map<string, string>();
	return {
		keep(key, claims) {
			kept.set(key, claims);
			for (const old of kept.keys()) {
				if (kept.size <= KEPT) break;
				kept.delete(old);
			}
		},
		claims: (key) => kept.get(key)
	};
}

const pages = new WeakMap<Document, CopyBook>();

/** The book that all editors of a page share. */
export function copiesOf(page: Document): CopyBook {
	let book = pages.get(page);
	if (!book) pages.set(page, (book = memoryCopies()));
	return book;
}

type Claim =
	| readonly [
			text: string,
			run: string,
			agent: string,
			name: string | null,
			version: string | null,
			at: number
	  ]
	| readonly [text: string, comment: string];
const claim = (text: string, by: Written): Claim => [text, by.run, by.agent, by.name, by.version, by.at];

/** What a slice says of itself: stretches of words with who wrote them and with their comments, blocks with who made them. */
function claimsOf({ content }: Slice): Claim[] {
	const claims: Claim[] = [];
	const visit = (parent: { forEach: Node['forEach'] }): void => {
		let last: { by: Written; text: string } | undefined;
		const close = () => {
			if (last) claims.push(claim(last.text, last.by));
			last = undefined;
		};
		const open = new Map<string, string>();
		const closeRemarks = (but: readonly string[]) => {
			for (const [remark, text] of open) {
				if (but.includes(remark)) continue;
				claims.push([text, remark]);
				open.delete(remark);
			}
		};
		parent.forEach((node) => {
			const by = textWrittenBy(node);
			if (by && last && sameWritten(last.by, by)) last.text += node.text ?? '';
			else {
				close();
				if (by) last = { by, text: node.text ?? '' };
			}
			const remarks = node.marks.filter(isRemark).map(remarkOf);
			closeRemarks(remarks);
			for (const remark of remarks) open.set(remark, (open.get(remark) ?? '') + (node.text ?? ''));
			const made = blockWrittenBy(node);
			if (made) claims.push(claim('', made));
			visit(node);
		});
		close();
		closeRemarks([]);
	};
	visit(content);
	return claims;
}

/** The claims of a slice as one line, `''` where it claims nothing. */
export function claimsIn(slice: Slice): string {
	const claims = claimsOf(slice);
	return claims.length > 0 ? JSON.stringify(claims) : '';
}

/** Whether all that `slice` claims was claimed by what was copied. */
export function vouchedFor(slice: Slice, kept: string | undefined): boolean {
	const claims = claimsOf(slice);
	if (claims.length === 0) return true;
	if (!kept) return false;
	const known = new Set((JSON.parse(kept) as Claim[]).map((one) => JSON.stringify(one)));
	return claims.every((one) => known.has(JSON.stringify(one)));
}
