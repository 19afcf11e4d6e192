import { isHistoryTransaction, redoDepth, undoDepth } from 'prosemirror-history';
import type { EditorState, Transaction } from 'prosemirror-state';
import type { Entry } from './entry.js';
import type { Meta } from './meta.js';
import { recordOf, type Table } from './table.js';

const personIn = (row: readonly Entry[]): number =>
	row.reduce((sum, entry) => sum + (entry.by === 'person' ? entry.events : 0), 0);

const without = (row: readonly Entry[], run: string): Entry[] =>
	joined(row.filter((entry) => entry.by !== 'run' || entry.run !== run));

function joined(row: readonly Entry[]): Entry[] {
	const out: Entry[] = [];
	for (const entry of row) {
		const last = out.at(-1);
		if (last?.by === 'person' && entry.by === 'person')
			out[out.length - 1] = { by: 'person', events: last.events + entry.events };
		else if (entry.by === 'run' || entry.events > 0) out.push(entry);
	}
	return out;
}

const withPerson = (row: readonly Entry[]): Entry[] => joined([...row, { by: 'person', events: 1 }]);

/** The newest event of the person leaves the row, also from under runs. */
function withoutPerson(row: readonly Entry[]): readonly Entry[] {
	const index = row.findLastIndex((entry) => entry.by === 'person');
	const entry = row[index];
	if (entry?.by !== 'person') return row;
	return joined(row.with(index, { by: 'person', events: entry.events - 1 }));
}

/** Events the history no longer has are dropped, oldest first: it forgets beyond its depth, and may be set up anew. */
function trimmed(row: readonly Entry[], depth: number): readonly Entry[] {
	let tooMany = personIn(row) - depth;
	if (tooMany <= 0) return row;
	return joined(
		row.map((entry) => {
			if (entry.by === 'run') return entry;
			const dropped = Math.min(tooMany, entry.events);
			tooMany -= dropped;
			return { by: 'person', events: entry.events - dropped };
		})
	);
}

/** Does the transaction enter the person's history? */
const isPersons = (tr: Transaction, root: Transaction, meta: Meta | undefined): boolean =>
	tr.docChanged &&
	tr.getMeta('addToHistory') !== false &&
	root.getMeta('addToHistory') !== false &&
	meta === undefined;

/** The table after a transaction, with its timeline brought up to date. The history must have seen the transaction. */
export function ordered(
	tr: Transaction,
	table: Table,
	meta: Meta | undefined,
	was: EditorState,
	now: EditorState
): Table {
	const { units, undone } = table;
	const root: Transaction = tr.getMeta('appendedTransaction') ?? tr;
	switch (meta?.kind) {
		case 'write': {
			const isLate = recordOf(table.runs, meta.run)?.live === false && tr.docChanged;
			if (isLate && !units.some((entry) => entry.by === 'run' && entry.run === meta.run))
				return { ...table, units: [...units, { by: 'run', run: meta.run }], undone: [] };
			break;
		}
		case 'end':
			return { ...table, units: [...without(units, meta.run), { by: 'run', run: meta.run }], undone: [] };
		case 'stand':
			return meta.stands
				? {
						...table,
						undone: without(undone, meta.run),
						units: [...without(units, meta.run), { by: 'run', run: meta.run }]
					}
				: {
						...table,
						units: without(units, meta.run),
						undone: [...without(undone, meta.run), { by: 'run', run: meta.run }]
					};
	}
	const depth = undoDepth(now) as number;
	const grown = depth - (undoDepth(was) as number);
	let next = table;
	if (isHistoryTransaction(tr) || isHistoryTransaction(root)) {
		if (grown < 0) next = { ...table, units: withoutPerson(units), undone: withPerson(undone) };
		else if (grown > 0) next = { ...table, units: withPerson(units), undone: withoutPerson(undone) };
	} else if (isPersons(tr, root, meta)) {
		// A history that grew by fewer than one has dropped old events.
		const forgotten = table.forgotten + (grown < 0 ? 1 - grown : 0);
		const isNew = grown !== 0 || personIn(units) === 0;
		if (isNew || undone.length > 0)
			next = { ...table, forgotten, units: isNew ? withPerson(units) : units, undone: [] };
	}
	const kept = trimmed(next.units, depth);
	const keptUndone = trimmed(next.undone, redoDepth(now) as number);
	return kept === next.units && keptUndone === next.undone
		? next
		: { ...next, units: kept, undone: keptUndone };
}
