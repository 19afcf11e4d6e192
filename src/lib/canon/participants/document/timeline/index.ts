/*
 * Undo of a run, at any time, exactly. Every transaction is read into a table of pieces; a run is taken back by saying that it no
 * longer stands, and bringing the document in line with the table.
 * - `row/`: the document as a row of tokens, the pieces that describe it, and the tree that holds them.
 * - `note/`: a transaction becomes what the table says: who put in, took out, changed and moved what.
 * - `stand/`: the undo and redo of a run: the document follows the table.
 * Beside them: the plugin, its table and its order in time, the keys and commands, and what one may ask.
 */
export { nextUnit, redo, undo, type Way } from './commands.js';
export type { Unit } from './entry.js';
export { timelineFromJSON, timelineToJSON, type TimelineJSON } from './json.js';
export { timelineCommand, timelineKeys, type TimelineKeysOptions } from './keys.js';
export { isTakeBack, runOf } from './meta.js';
export { undoTimeline, type TimelineOptions } from './plugin.js';
export { rangesOf, runs, undoneUnits, units, type RunState, type TextRange } from './query.js';
export { beginRun, edit, endRun } from './run-edits.js';
export type { StandCode, StandReport } from './stand/report.js';
export { redoRun, undoRun, type Stood } from './stand/stand.js';
export { WordsStep, type Words } from './stand/words-step.js';
export { timelineKey, type Table } from './table.js';
