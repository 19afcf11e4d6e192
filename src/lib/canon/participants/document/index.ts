export type { DocumentAddress } from './addresses.js';
export { BLOCK_ATTRIBUTE, blockIds, completeBlockIds, ensureBlockIds, withBlockIds } from './blocks/index.js';
export type {
	BlockIdsOptions,
	DocumentBlock,
	DocumentPart,
	NodeSpecs,
	Outline,
	OutlineEntry
} from './blocks/index.js';
export { documentCodes } from './codes.js';
export type { DocumentCode, DocumentCodeEntry } from './codes.js';
export { composed, watchComposition } from './composition.js';
export type { Composed, ComposedOptions, Reach } from './composition.js';
export { createDocumentManifest, documentManifest } from './document.manifest.js';
export type {
	DocumentAct,
	DocumentEntrance,
	DocumentManifestOptions,
	DocumentRead,
	DocumentScope
} from './manifest/options.js';
export { documentMorfo } from './document.morfo.js';
export { createDocumentProvider, DocumentProvider } from './document.provider.js';
export type {
	Acceptance,
	DocumentOptions,
	DocumentReport,
	DocumentTrial,
	WriteOptions
} from './document.provider.js';
export { commentMark, withComments } from './edits/index.js';
export type {
	DocumentAnchor,
	DocumentChange,
	DocumentComment,
	DocumentContent,
	DocumentFormat,
	DocumentRefusal,
	MarkdownLimits,
	MarkSpecs
} from './edits/index.js';
export { clearGhost, ghostKey, ghostPlugin, paintGhost } from './ghost/index.js';
export type { GhostMeta, GhostPaint } from './ghost/index.js';
export type { DocumentUndo } from './kept.js';
export * from './markdown/index.js';
export { origins, originsIn } from './origins/index.js';
export type { OriginRange, OriginsOptions, TextOrigin } from './origins/index.js';
export { documentPlugins, documentRow } from './plugins.js';
export type { DocumentPluginOptions, DocumentPlugins } from './plugins.js';
export {
	acceptProvenance,
	describeBlock,
	memoryCopies,
	provenance,
	provenanceAttributes,
	provenanceMark,
	provenancePlugin,
	readProvenance,
	stampInserted,
	withProvenance,
	writtenBy
} from './provenance/index.js';
export type {
	Accepted,
	CopyBook,
	PaintOptions,
	Provenance,
	ProvenanceOptions,
	ProvenanceRange,
	ProvenanceSpecs,
	WrittenBlock
} from './provenance/index.js';
export type { FormatChange } from './formats.js';
export { DocumentReader } from './reader.js';
export type { DocumentFormatted, DocumentProvenance, DocumentSection } from './reader.js';
export type { DocumentSelection, SelectionPoint } from './selection.js';
export { timelineCommands } from './take-back.js';
export {
	beginRun,
	edit,
	endRun,
	isTakeBack,
	redo,
	redoRun,
	runOf,
	runs,
	timelineKey,
	timelineKeys,
	undo,
	undoRun,
	undoTimeline,
	units
} from './timeline/index.js';
export type { StandCode, StandReport, TimelineKeysOptions, TimelineOptions, Unit } from './timeline/index.js';
export type { EditorViewLike, ViewSource } from './view.js';
