import { Plugin, type Command, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { carry } from '../../../../actor/index.js';
import { asHuman } from '../../../../uix/soma/index.js';
import { nextUnit, redo, undo, type Way } from './commands.js';

/** What the keys may be told. @since 0.1.0 */
export interface TimelineKeysOptions {
	/**
	 * Called instead of taking a run back here, so that whoever conducts it can record it and take other participants
	 * along. At a person's key `currentCause()` is the person, in it. If it gives, or resolves to, `{ ok: false }`, or fails, the run is taken back here alone.
	 */
	readonly takeBack?: (run: string, way: Way) => unknown;
	/**
	 * How long an answer is awaited, in milliseconds; then the run is taken back here alone, and the keys go on.
	 * @default 5000
	 */
	readonly patienceMs?: number;
	/** Whether Cmd is the modifier. @default by the platform */
	readonly mac?: boolean;
}

const onMac = (): boolean =>
	typeof navigator !== 'undefined' && /Mac|iP(?:hone|[oa]d)/.test(navigator.platform);

const local: Record<Way, Command> = { undo, redo };

const isRefused = (answer: unknown): boolean =>
	typeof answer === 'object' && answer !== null && (answer as { ok?: unknown }).ok === false;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
	typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Which way a key goes; null if it is none of ours. */
function wayOfKey(event: KeyboardEvent, mac: boolean): Way | null {
	const isMod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
	if (!isMod || event.altKey) return null;
	const key = event.key.toLowerCase();
	if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
	return key === 'y' && !event.shiftKey && !mac ? 'redo' : null;
}

const isOurs = (state: EditorState, way: Way): boolean =>
	hasHistory(state) || nextUnit(state, way)?.by === 'run';

const hasHistory = ({ plugins }: EditorState): boolean =>
	plugins.some((plugin) => 'key' in plugin && plugin.key === 'history$');

/**
 * One timeline under Mod-z, Mod-Shift-z, Mod-y and the browser's own undo (context menu, Edit menu, shaking). Goes
 * *before* `history()` and its keymap: the first handler that answers wins. With that history it always answers `true`, also
 * when there was nothing to do, else a keymap behind it would try Mod-Shift-z again without Shift and undo. Where another
 * undo keeps what the person did (a shared document's), it answers for runs alone.
 * @since 0.1.0
 */
export function timelineKeys(options: TimelineKeysOptions = {}): Plugin {
	const mac = options.mac ?? onMac();
	const go = timelineCommand(options.takeBack, options.patienceMs);
	return new Plugin({
		props: {
			handleKeyDown(view, event) {
				const way = wayOfKey(event, mac);
				if (!way || !isOurs(view.state, way)) return false;
				if (view.editable) asHuman(event, () => go(view, way));
				return true;
			},
			handleDOMEvents: {
				beforeinput(view, event) {
					const type = (event as InputEvent).inputType;
					const way = type === 'historyUndo' ? 'undo' : type === 'historyRedo' ? 'redo' : null;
					if (!way || !view.editable || !isOurs(view.state, way)) return false;
					event.preventDefault();
					asHuman(event, () => go(view, way));
					return true;
				}
			}
		}
	});
}

/**
 * One step of the timeline in a view, with runs taken back by `takeBack`. While an answer is awaited, further steps wait
 * their turn: two presses take back two units, in order; one that does not come is not awaited for ever. For menus and toolbars that know the view.
 * @since 0.1.0
 */
export function timelineCommand(
	takeBack: TimelineKeysOptions['takeBack'],
	patienceMs = 5000
): (view: EditorView, way: Way) => void {
	const waiting: (() => void)[] = [];
	let isBusy = false;
	const finish = (view: EditorView, way: Way, run: string, refused: boolean): void => {
		const unit = refused && !view.isDestroyed ? nextUnit(view.state, way) : null;
		if (unit?.by === 'run' && unit.run === run) local[way](view.state, view.dispatch, view);
	};
	const step = (view: EditorView, way: Way): void => {
		const unit = takeBack ? nextUnit(view.state, way) : null;
		if (unit?.by !== 'run') {
			local[way](view.state, view.dispatch, view);
			return;
		}
		let answer: unknown;
		try {
			answer = takeBack!(unit.run, way);
		} catch {
			answer = { ok: false };
		}
		if (!isThenable(answer)) return finish(view, way, unit.run, isRefused(answer));
		isBusy = true;
		let isSettled = false;
		const settled = (refused: boolean): void => {
			if (isSettled) return;
			isSettled = true;
			clearTimeout(timer);
			isBusy = false;
			finish(view, way, unit.run, refused);
			drain();
		};
		const timer = setTimeout(() => settled(true), patienceMs);
		answer.then(
			(value) => settled(isRefused(value)),
			() => settled(true)
		);
	};
	const drain = (): void => {
		while (!isBusy && waiting.length > 0) waiting.shift()!();
	};
	return (view, way) => {
		// A later turn is still of whoever asked.
		waiting.push(
			carry(() => {
				if (!view.isDestroyed) step(view, way);
			})
		);
		drain();
	};
}
