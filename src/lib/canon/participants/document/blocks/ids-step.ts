import { Fragment, type Node, type Schema } from 'prosemirror-model';
import { AttrStep, Step, StepMap, StepResult, type Mappable, type Transform } from 'prosemirror-transform';

/** Before the opening tag of a block, and the id it gets; null takes it off. @internal */
export type IdAt = readonly [pos: number, id: string | null];

/** Above this many ids one step is cheaper than one each, which every plugin reads and for which the document is copied. */
const FEW = 50;

/** Gives blocks ids: few with the steps that everybody knows, many with one. In the order of the document. @internal */
export function setIds<Tr extends Transform>(tr: Tr, ids: readonly IdAt[]): Tr {
	if (ids.length > FEW) tr.step(new IdsStep(ids));
	else for (const [pos, id] of ids) tr.step(new AttrStep(pos, 'id', id));
	return tr;
}

/** Ids of many blocks at once. Moves no position, so whoever follows positions has nothing to do. @internal */
export class IdsStep extends Step {
	readonly ids: readonly IdAt[];

	constructor(ids: readonly IdAt[]) {
		super();
		this.ids = ids;
	}

	override apply(doc: Node): StepResult {
		let done = 0;
		const visit = (parent: Node, start: number): Node => {
			let pos = start;
			const children = parent.children.map((child) => {
				const here = pos;
				pos += child.nodeSize;
				const next = this.ids[done];
				if (!next || next[0] >= pos || child.isText) return child;
				const id = next[0] === here ? next[1] : undefined;
				if (id !== undefined) done += 1;
				const inside = (this.ids[done]?.[0] ?? pos) < pos ? visit(child, here + 1) : child;
				if (id === undefined) return inside;
				return child.type.create({ ...child.attrs, id }, inside.content, child.marks);
			});
			return parent.copy(Fragment.fromArray(children));
		};
		const after = visit(doc, 0);
		return done === this.ids.length
			? StepResult.ok(after)
			: StepResult.fail('There is no block at a position.');
	}

	override invert(doc: Node): Step {
		return new IdsStep(
			this.ids.map(([pos]) => [pos, (doc.nodeAt(pos)?.attrs['id'] as string | null) ?? null])
		);
	}

	override map(mapping: Mappable): Step | null {
		const ids = this.ids.flatMap(([pos, id]): IdAt[] => {
			const to = mapping.mapResult(pos, 1);
			return to.deletedAfter ? [] : [[to.pos, id]];
		});
		return ids.length > 0 ? new IdsStep(ids) : null;
	}

	override getMap(): StepMap {
		return StepMap.empty;
	}

	override toJSON(): { stepType: string; ids: readonly IdAt[] } {
		return { stepType: 'blockIds', ids: this.ids };
	}

	static override fromJSON(_schema: Schema, { ids }: { ids?: unknown }): IdsStep {
		const sound =
			Array.isArray(ids) &&
			ids.every(
				(one: unknown) =>
					Array.isArray(one) && typeof one[0] === 'number' && (one[1] === null || typeof one[1] === 'string')
			);
		if (!sound) throw new RangeError('Invalid input for IdsStep.fromJSON');
		return new IdsStep(ids as IdAt[]);
	}
}

Step.jsonID('blockIds', IdsStep);
