// Runs vitest in a process of its own and reads its JSON report.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @type {Set<number>} */
const running = new Set();

/** Ends the tests that this process started, with their workers. */
export function stopVitest() {
	for (const pid of running) {
		try {
			// Its own process group: the workers go with it.
			process.kill(-pid, 'SIGKILL');
		} catch {
			// It has ended meanwhile.
		}
	}
	running.clear();
}

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @param {number} [timeoutMs] @default none
 * @returns {Promise<{ report: any, code: number | null, timedOut: boolean }>} without `report` if none was written
 */
export async function vitest(root, args, timeoutMs) {
	const folder = mkdtempSync(join(tmpdir(), 'laws-'));
	const output = join(folder, 'report.json');
	try {
		const command = ['run', ...args, '--reporter=json', `--outputFile=${output}`];
		const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...command], {
			cwd: root,
			detached: true,
			stdio: ['ignore', 'ignore', 'inherit']
		});
		const { pid } = child;
		if (pid !== undefined) running.add(pid);
		let timedOut = false;
		const timer =
			timeoutMs === undefined
				? undefined
				: setTimeout(() => {
						timedOut = true;
						stopVitest();
					}, timeoutMs);
		const code = await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		clearTimeout(timer);
		if (pid !== undefined) running.delete(pid);
		const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
		return { report, code, timedOut };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
