import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { attacksOf } from './corpus.js';
import type { Attack } from './attacks.js';

/** Where a corpus of other people's attacks may lie. */
export const place =
	process.env.INJECTIONS ?? resolve(import.meta.dirname, '../../../shared/corpora/injections.jsonl');

/** Its attacks; `undefined` where there is none. A corpus that was named has to be there. */
export const beside = (): readonly Attack[] | undefined =>
	process.env.INJECTIONS || existsSync(place) ? attacksOf(readFileSync(place, 'utf8')) : undefined;
