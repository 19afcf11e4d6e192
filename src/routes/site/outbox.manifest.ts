import { defineManifest, done, refuse } from '$agent/capability/index.js';
import { z } from 'zod';
import { MAIL } from '../stories/obey.js';
import type { Outbox } from './outbox.svelte.js';
import type { Language, Texts } from './texts.js';

/** What an agent may read of the outbox, and do there: send, which nobody can take back. */
export const outboxManifest = (words: Texts['outbox'], language: Language) =>
	defineManifest<Outbox>()({
		kind: 'mail',
		description: 'The outbox: mails to anybody',
		reads: {
			sender: {
				description: 'Who writes from this desk: name, e-mail, telephone, account',
				read: (outbox) => outbox.sender,
				version: (outbox) => JSON.stringify(outbox.sender),
				trust: 'app',
				sensitivity: 'private'
			}
		},
		acts: {
			[MAIL[language]]: {
				description: words.mailAbout,
				args: z.strictObject({
					to: z.string().describe('Address'),
					subject: z.string().describe('Subject'),
					text: z.string().describe('The text, plain')
				}),
				effect: 'irreversible',
				reach: 'world',
				touches: ['sender'],
				compareAndSet: true,
				preview: (_, { to, subject, text }) => ({
					kind: 'fields',
					fields: [
						{ path: 'to', label: words.recipient, before: to, after: to },
						{ path: 'subject', label: words.subject, before: subject, after: subject },
						{ path: 'text', label: words.text, before: text, after: text }
					]
				}),
				perform: (outbox, mail, { expect }) => {
					if (expect['sender'] !== JSON.stringify(outbox.sender)) return refuse('stale', words.otherSender);
					outbox.post(mail);
					return done({ sent: true });
				}
			}
		}
	});
