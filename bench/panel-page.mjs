// What runs in the browser for the second half of the bench `frames`: a conversation, a stream, and a count of frames.
import { flushSync, mount, unmount } from 'svelte';
import { defineActiveAgent } from '../src/lib/agent/active/index.ts';
import { late } from '../src/lib/canon/surfaces/late/late.svelte.ts';
import { PERSON } from '../src/lib/uix/index.ts';
import PanelPage from './PanelPage.svelte';
import '../src/lib/styles.css';
import '../src/lib/uix/eidos/late.css';

/** What an answer is made of; each piece is a token. */
const ANSWER = [
	'## What was found\n\nThe **presses** were handed over on the day that we had agreed, see [the letter][1].\n\n',
	'- one part of `the order` that was late\n- another part, which was not\n  1. and its own parts\n\n',
	'> Who wrote this had *seen* it.\n\n| part | days |\n| --- | ---: |\n| press | 12 |\n| ink | 3 |\n\n',
	'```js\nconst days = parts.reduce((sum, { late }) => sum + late, 0);\n```\n\n[1]: https://example.com/letter\n\n'
].join('');
const TOKENS = ANSWER.match(/\s*\S{1,6}|\s+$/g) ?? [];
/** About 8 KB that stand there before the stream begins. */
const BEFORE = ANSWER.repeat(Math.ceil(8_000 / ANSWER.length));

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function frames(ms) {
	const gaps = [];
	let last = performance.now();
	const until = last + ms;
	while (last < until) {
		await nextFrame();
		const now = performance.now();
		gaps.push(now - last);
		last = now;
	}
	return gaps;
}

let page;
let agent;
let streaming = false;

/** Text that arrives at a pace of tokens a second, for as long as `streaming` says. */
const transport = {
	name: 'pace',
	async *open(_request, signal) {
		yield { type: 'text', delta: BEFORE };
		let sent = 0;
		let began;
		while (!signal.aborted) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			if (!streaming) {
				if (began !== undefined) break;
				continue;
			}
			began ??= performance.now();
			const due = Math.floor((performance.now() - began) / 5);
			for (; sent < due; sent += 1) yield { type: 'text', delta: TOKENS[sent % TOKENS.length] };
		}
		tokens = sent;
		yield { type: 'end', reason: 'stop' };
	}
};
let tokens = 0;

/** Opens the page and lets the agent begin; the stream waits. */
async function open({ how, participants }) {
	if (page) {
		await agent.dispose();
		await unmount(page);
	}
	await late.load();
	agent = defineActiveAgent({
		identity: { id: 'ada', name: 'Ada', description: 'Answers.' },
		transport,
		policy: { ceiling: 'review' }
	});
	page = mount(PanelPage, { target: document.body, props: { agent, participants, how } });
	flushSync();
	agent.run('Tell me what was found', { by: PERSON });
	while (!document.querySelector('[data-part=message][data-kind=agent]')) await nextFrame();
	await new Promise((resolve) => setTimeout(resolve, 500));
	return document.querySelectorAll('section[data-agent-instance], section').length;
}

async function stream({ ms }) {
	streaming = true;
	const gaps = await frames(ms);
	streaming = false;
	await new Promise((resolve) => setTimeout(resolve, 300));
	return { gaps, tokens, shown: document.querySelector('[data-part=log]')?.textContent?.length ?? 0 };
}

Object.assign(window, { desk: { open, frames: ({ ms }) => frames(ms), stream } });
