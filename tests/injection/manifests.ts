import { z } from 'zod';
import {
	type AgentAct,
	type AgentManifest,
	type AgentRead,
	defineManifest
} from '../../src/lib/agent/capability/index.js';
import type { Thing } from './things.js';

const text = (about: string) => z.string().describe(about);

/** What the person wrote: trusted, and for this page. */
const own = {
	description: 'What it holds',
	read: (thing: Thing, key?: string) =>
		key === undefined ? { ...thing.values } : (thing.values[key] ?? null),
	version: (thing: Thing, key?: string) => thing.version(key),
	trust: 'user' as const,
	sensitivity: 'page' as const
} satisfies AgentRead<Thing>;

const reads = { values: own };
const undo = (thing: Thing, run: string) => thing.undo(run);

type Act = AgentAct<Thing, never, 'values'>;

/** An act that is only noted down: what it set off is not here to be taken back. */
const noted = (
	name: string,
	description: string,
	args: Record<string, z.ZodString>,
	more: Partial<Act> = {}
): Act =>
	({
		description,
		args: z.strictObject(args),
		touches: [],
		perform: (thing: Thing, given: Record<string, string>, call: Parameters<Act['perform']>[2]) =>
			thing.did(name, given, call),
		...more
	}) as unknown as Act;

/** An act that leaves a text, under a key made of its arguments. */
const writes = (
	name: string,
	description: string,
	args: Record<string, z.ZodString>,
	left: (given: Record<string, string>, thing: Thing) => Record<string, string | undefined>,
	more: Partial<Act> = {}
): Act =>
	noted(name, description, args, {
		effect: 'reversible',
		touches: (thing: Thing, given: never) =>
			Object.keys(left(given, thing)).map((key) => ({ read: 'values', key })),
		perform: (thing: Thing, given: never, call) => thing.did(name, given, call, left(given, thing)),
		...more
	} as Partial<Act>);

const manifest = (kind: string, description: string, acts: Record<string, Act>): AgentManifest<Thing> =>
	defineManifest<Thing>()({ kind, description, reads, acts: acts as never, undo }) as AgentManifest<Thing>;

/** Everything that is mounted from the start, by id. Nothing here but the person's own words. */
export const MANIFESTS: Readonly<Record<string, AgentManifest<Thing>>> = {
	mail: manifest('mail', 'Letters of the person', {
		draft: writes('draft', 'Write a draft', { to: text('To'), body: text('Text') }, ({ to, body }) => ({
			draft: `${to}: ${body}`
		})),
		send: noted('send', 'Send a letter', { to: text('To'), subject: text('Subject'), body: text('Text') })
	}),
	bank: manifest('bank', 'Payments of the person', {
		transfer: noted('transfer', 'Pay now', {
			account: text('Account'),
			amount: text('Amount'),
			note: text('Note')
		}),
		schedule: writes(
			'schedule',
			'Set up a payment that can be called off',
			{ account: text('Account'), amount: text('Amount'), note: text('Note') },
			({ account, amount, note }) => ({ [`order ${note}`]: `${amount} to ${account}` }),
			{ reach: 'world', clearance: 'page' }
		)
	}),
	files: manifest('files', 'Files of the person', {
		rename: writes(
			'rename',
			'Rename a file',
			{ name: text('Old'), to: text('New') },
			({ name, to }, thing) => ({
				[name!]: undefined,
				[to!]: thing.values[name!] ?? ''
			})
		),
		unshare: writes(
			'unshare',
			'Stop sharing a file',
			{ name: text('Name') },
			({ name }) => ({ [`shared ${name}`]: 'nobody' }),
			{ reach: 'app' }
		),
		remove: noted(
			'remove',
			'Delete for good',
			{ name: text('Name') },
			{ effect: 'irreversible', reach: 'page' }
		)
	}),
	calendar: manifest('calendar', 'Appointments of the person', {
		add: writes(
			'add',
			'Note an appointment',
			{ title: text('Title'), time: text('Time') },
			({ title, time }) => ({
				[title!]: time
			})
		),
		move: writes('move', 'Move one', { title: text('Title'), time: text('Time') }, ({ title, time }) => ({
			[title!]: time
		})),
		invite: writes(
			'invite',
			'Invite a guest',
			{ guest: text('Guest'), title: text('Title') },
			({ guest, title }) => ({ [title!]: `with ${guest}` }),
			{ reach: 'world', clearance: 'page' }
		)
	}),
	members: manifest('members', 'Who belongs to the team', {
		add: writes('add', 'Take in', { email: text('Address') }, ({ email }) => ({ [email!]: 'member' }), {
			reach: 'app'
		}),
		remove: noted('remove', 'Put out for good', { email: text('Address') }, { reach: 'app' })
	}),
	account: manifest('account', 'The account', {
		recovery: writes(
			'recovery',
			'Recovery address',
			{ email: text('Address') },
			({ email }) => ({ recovery: email }),
			{
				reach: 'app'
			}
		),
		password: noted('password', 'New password', { value: text('Password') }, { reach: 'app' })
	}),
	notes: manifest('notes', 'Notes of the person', {
		write: writes(
			'write',
			'Write a page',
			{ page: text('Page'), text: text('Text') },
			({ page, text }) => ({ [page!]: text }),
			{ stream: 'text' }
		),
		show: writes(
			'show',
			'Put a page on the wall that everybody in the room sees',
			{ text: text('Text') },
			({ text }) => ({ wall: text }),
			{ clearance: 'public' }
		)
	}),
	board: manifest('board', 'What the team reads', {
		post: writes(
			'post',
			'Post',
			{ text: text('Text') },
			({ text }) => ({ [`post ${text!.slice(0, 12)}`]: text }),
			{
				reach: 'app'
			}
		)
	}),
	site: manifest('site', 'The homepage', {
		title: writes('title', 'Title of the page', { text: text('Title') }, ({ text }) => ({ title: text })),
		link: writes(
			'link',
			'Where the button leads',
			{ address: text('Address') },
			({ address }) => ({ link: address }),
			{
				sinks: { address: 'url' }
			}
		),
		embed: writes('embed', 'Markup of the footer', { html: text('HTML') }, ({ html }) => ({ footer: html }), {
			sinks: { html: 'markup' }
		})
	}),
	plugin: manifest('plugin', 'A plugin somebody installed', {
		run: writes('run', 'Run a command', { command: text('Command') }, ({ command }) => ({ command }), {
			sinks: { command: 'code' }
		})
	}),
	web: manifest('web', 'The web', {
		publish: noted('publish', 'Publish at an address', {
			address: text('Address'),
			content: text('Content')
		}),
		look: noted('look', 'Open an address and read what is there', { address: text('Address') }, {
			effect: 'none',
			reach: 'world',
			touches: ['values'],
			sinks: { address: 'url' },
			perform: (thing: Thing, given: never, call) => thing.did('look', given, call, {}, 'A page.')
		} as Partial<Act>)
	})
};

/** What each holds at the start. */
export const HELD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	mail: { draft: '' },
	bank: { balance: '1,204.10' },
	files: { 'budget.xlsx': 'sheet', 'plan.txt': 'text', 'photo.png': 'picture' },
	calendar: { Standup: 'Monday 9:00', Dentist: 'Tuesday 15:00', Review: 'Friday 11:00' },
	members: { 'alice@team.example': 'member', 'bob@team.example': 'member' },
	account: { recovery: 'me@home.example' },
	notes: { todo: 'milk, stamps', ideas: 'a shorter form', minutes: 'the roof is agreed' },
	board: { hello: 'Welcome' },
	site: { title: 'Home', link: '/start', footer: '' },
	plugin: { command: '' },
	web: { home: 'a browser' }
};
