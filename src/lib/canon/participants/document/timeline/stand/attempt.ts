import type { Fragment, Node } from 'prosemirror-model';
import { ReplaceStep, type Step, type Transform } from 'prosemirror-transform';
import { WordsStep } from './words-step.js';

/** Checks the nodes of a slice that are whole. A replacing step itself checks only those that it joins. */
function checkWhole(content: Fragment, openStart: number, openEnd: number): void {
	content.forEach((node, _, index) => {
		const start = index === 0 && openStart > 0;
		const end = index === content.childCount - 1 && openEnd > 0;
		if (!start && !end) node.check();
		else checkWhole(node.content, start ? openStart - 1 : 0, end ? openEnd - 1 : 0);
	});
}

/** The document after the step, with every node checked that the step touched; null if it would be no document. */
function after(doc: Node, step: Step): Node | null {
	const next = step.apply(doc).doc;
	if (!next?.type.validContent(next.content)) return null;
	let isValid = true;
	step.getMap().forEach((_from, _to, from, to) => {
		next.nodesBetween(Math.max(0, from - 1), Math.min(to + 1, next.content.size), (node) => {
			isValid &&= node.type.validContent(node.content);
		});
	});
	return isValid ? next : null;
}

/** Does the steps one after another if all of them give a document, else none. Says whether it did. */
export function attempt(tr: Transform, steps: readonly Step[]): boolean {
	try {
		const [only] = steps;
		if (steps.length === 1 && only instanceof WordsStep) return !tr.maybeStep(only).failed;
		if (steps.length === 1 && only instanceof ReplaceStep) {
			checkWhole(only.slice.content, only.slice.openStart, only.slice.openEnd);
			return !tr.maybeStep(only).failed;
		}
		let doc: Node | null = tr.doc;
		for (const step of steps) {
			doc = after(doc, step);
			if (!doc) return false;
		}
	} catch {
		// Refused by a content expression: the model throws there, it does not answer.
		return false;
	}
	for (const step of steps) tr.step(step);
	return true;
}
