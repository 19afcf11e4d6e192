import { digest } from '../../../../agent/capability/index.js';
import type { DocumentProvider } from '../document.provider.js';
import { isPlace } from './anchor.js';
import { marked } from './labels.js';
import { listed, listedWhole, listing, summary, whole } from './listing.js';
import type { DocumentManifestOptions } from './options.js';
import { versionOf, versionOfIds, versionOfOutline, versionOfSection } from './versions.js';

/** A section that is longer is listed block by block. */
const LONGEST = 24_000;

/** What can be read of a document. @internal */
export function readsOf(sensitivity: DocumentManifestOptions['sensitivity'] & string) {
	const trust = { trust: 'user', sensitivity } as const;
	return {
		outline: {
			description:
				'The headings with their ids, level and how much stands under each; how long the document is',
			read: (document: DocumentProvider) => {
				const { headings, ...rest } = document.outline();
				return {
					headings: headings.map((entry) => ({
						...entry,
						text: marked(document, entry.text, document.origins(entry.id))
					})),
					...rest
				};
			},
			version: (document: DocumentProvider) => versionOfOutline(document.outline()),
			summary: (document: DocumentProvider) => summary(document.outline()),
			...trust
		},
		block: {
			description:
				'The blocks in order, each with its id; in a long document their beginnings only. With a block’s id as key: that block, whole, with the blocks inside it',
			read: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return listing(document);
				if (isPlace(key)) return { place: key };
				const one = document.block(key);
				return one ? whole(document, one) : null;
			},
			version: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return `${document.version()}.${versionOfIds(document)}`;
				// A place is the same whatever stands beside it.
				return isPlace(key) ? key : versionOf(document.block(key));
			},
			keys: (document: DocumentProvider) => listedWhole(document).blocks,
			summary: (document: DocumentProvider) => summary(document.outline()),
			...trust
		},
		selection: {
			description:
				'What the person has selected, or where the caret stands: block ids, offsets, the selected text',
			read: (document: DocumentProvider, key?: string) => {
				const selection = document.selection();
				if (!selection) return null;
				if (key === 'block') return { block: selection.to.block };
				const { empty, from, to, blocks, markdown } = selection;
				return {
					empty,
					from: { ...from },
					to: { ...to },
					blocks,
					text: marked(document, markdown, document.origins())
				};
			},
			version: (document: DocumentProvider, key?: string) => {
				const selection = document.selection();
				if (!selection) return 'none';
				if (key === 'block') return selection.to.block;
				const { from, to, markdown } = selection;
				return digest([{ ...from }, { ...to }, markdown]);
			},
			...trust
		},
		section: {
			description:
				'With a heading’s id as key: the section, all that stands under that heading, block by block',
			read: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return { pull: 'Give the id of a heading as key; the outline lists them.' };
				const section = document.section(key);
				return section ? listed(document, section.blocks, LONGEST) : null;
			},
			version: (document: DocumentProvider, key?: string) =>
				key === undefined ? 'none' : versionOfSection(document, key),
			// The listing of blocks shows them: what is written over a section is held against it.
			keys: (document: DocumentProvider) => listedWhole(document).sections,
			summary: () => 'Sections are read one by one, by the id of their heading.',
			...trust
		}
	};
}
