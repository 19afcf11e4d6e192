import { bend } from './bend.js';
import { carryOut } from './carry-out.js';
import { everything, hullOf, rebuild } from './rebuild.js';
import type { Work } from './work.js';

/**
 * Brings the tokens in line with the rule. Where the rule gives no document the structure bends: first block by block,
 * then words alone; what even so is refused stays as it is.
 */
export function bring(work: Work): void {
	let want = work.pieces.map((it) => !it.sign && work.wants(it));
	for (const round of ['rule', 'bent', 'words', 'last'] as const) {
		const refused = carryOut(work, want);
		if (refused.size === 0 || round === 'last') return;
		if (round === 'rule') {
			if (rebuild(work, want, hullOf(work, refused)) || rebuild(work, want, everything(work))) return;
			want = bend(work, want, refused, false);
		} else if (round === 'bent') want = bend(work, want, refused, true);
		else for (const index of refused) want[index] = !work.pieces[index]!.dead;
	}
}
