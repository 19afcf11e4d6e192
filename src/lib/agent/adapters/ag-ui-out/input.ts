import type { JSONValue } from '../../protocol/words.js';
import type { AgUiMessage } from './event.js';
import type { AgUiResume } from './interrupts.js';

/** What a client asks for, read from a RunAgentInput. @since 0.1.0 */
export interface AgUiInput {
	threadId: string;
	runId: string;
	parentRunId?: string;
	messages: readonly AgUiMessage[];
	/** What the user said since the agent spoke last. */
	said: string;
	/** The same, message by message. */
	spoken: readonly { id: string; text: string }[];
	/** Names of the client's own tools. */
	tools: readonly string[];
	context: readonly { description: string; value: string }[];
	state: JSONValue;
	forwardedProps: JSONValue;
	resume: readonly AgUiResume[];
}

type Node = { readonly [key: string]: JSONValue | undefined };

const ROLES = ['developer', 'system', 'assistant', 'user', 'tool', 'activity', 'reasoning'];

class Fault extends Error {}

const isObject = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function need(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Fault(what);
}

function list(of: Node, key: string, check: (item: Node, place: string) => void): readonly Node[] {
	const { [key]: items = [] } = of;
	need(Array.isArray(items), `${key}: give a list.`);
	(items as readonly unknown[]).forEach((item, i) => {
		need(isObject(item), `${key}/${i}: give an object.`);
		check(item, `${key}/${i}`);
	});
	return items as readonly Node[];
}

const texts = (of: Node, place: string, ...keys: string[]) =>
	keys.forEach((key) => need(typeof of[key] === 'string', `${place}/${key}: give a text.`));

/** The text of what a user said; what is no text nobody here could pass on. */
function textOf({ content }: Node, place: string): string {
	if (typeof content === 'string') return content;
	need(Array.isArray(content), `${place}/content: give a text.`);
	return (content as readonly unknown[])
		.map((part) => {
			need(isObject(part) && part.type === 'text', `${place}/content: only text is taken here.`);
			texts(part, place, 'text');
			return part.text as string;
		})
		.join('\n');
}

/** Reads a request, or says where it is none. Members that are not known are left aside. */
export function inputOf(body: string): AgUiInput | { fault: string } {
	try {
		let input: unknown;
		try {
			input = JSON.parse(body);
		} catch {
			throw new Fault('The request is no JSON.');
		}
		need(isObject(input), 'Give an object.');
		const { threadId, runId, parentRunId, state = null, forwardedProps = null } = input;
		need(typeof threadId === 'string' && threadId !== '', 'threadId: give a text.');
		need(typeof runId === 'string' && runId !== '', 'runId: give a text.');
		need(parentRunId === undefined || typeof parentRunId === 'string', 'parentRunId: give a text.');
		need(Array.isArray(input.messages), 'messages: give a list.');
		const messages = list(input, 'messages', (message, place) => {
			texts(message, place, 'id', 'role');
			need(ROLES.includes(message.role as string), `${place}/role: no such role.`);
		});
		const tools = list(input, 'tools', (tool, place) => texts(tool, place, 'name', 'description'));
		const context = list(input, 'context', (item, place) => texts(item, place, 'description', 'value'));
		const ids = new Set<unknown>();
		const resume = list(input, 'resume', (entry, place) => {
			const { interruptId, status, payload } = entry;
			texts(entry, place, 'interruptId');
			need(status === 'resolved' || status === 'cancelled', `${place}/status: say resolved or cancelled.`);
			need(payload !== null, `${place}/payload: leave it out instead.`);
			need(!ids.has(interruptId), `${place}/interruptId: answer each once.`);
			ids.add(interruptId);
		});
		const last = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'reasoning');
		const spoken = messages.flatMap((message, i) => {
			if (i <= last || message.role !== 'user') return [];
			const text = textOf(message, `messages/${i}`);
			return text === '' ? [] : [{ id: message.id as string, text }];
		});
		return {
			threadId,
			runId,
			...(parentRunId === undefined ? {} : { parentRunId }),
			messages: messages as unknown as readonly AgUiMessage[],
			said: spoken.map(({ text }) => text).join('\n'),
			spoken,
			tools: tools.map(({ name }) => name as string),
			context: context as unknown as AgUiInput['context'],
			state,
			forwardedProps,
			resume: resume as unknown as readonly AgUiResume[]
		};
	} catch (error) {
		if (error instanceof Fault) return { fault: error.message };
		throw error;
	}
}
