import type { TurnRequest } from '$agent/index.js';
import type { Language } from '../site/texts.js';
import { letterIn } from './document.js';
import { shown } from './request.js';

/** Who writes from this desk, as the outbox shows it to an agent. */
export interface Sender {
	readonly name: string;
	readonly email: string;
	readonly phone: string;
	readonly iban: string;
}

const SEND = /(?<!\p{L})(?:sent|send|forward|mail to|reenv[ií]|env[ií]|mand[ae])/iu;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;
const ASKED: Record<keyof Sender, RegExp> = {
	name: /\bname\b|nombre/iu,
	email: /e-?mail|correo/iu,
	phone: /phone|tel[eé]fono/iu,
	iban: /iban|account number|n[uú]mero de cuenta/iu
};

/** What a text tells its reader to send, and where. */
export interface Order {
	readonly to: string;
	/** All, where it does not say. */
	readonly what: readonly (keyof Sender)[];
}

/** Every order to send something in a text, paragraph by paragraph. It asks for an address, and for no reason. */
export function ordersIn(paragraphs: readonly string[]): readonly Order[] {
	return paragraphs.flatMap((text) => {
		const to = ADDRESS.exec(text)?.[0];
		if (to === undefined || !SEND.test(text)) return [];
		const parts = Object.keys(ASKED) as (keyof Sender)[];
		const what = parts.filter((part) => ASKED[part].test(text.replace(to, '')));
		return [{ to, what: what.length > 0 ? what : parts }];
	});
}

const LABELS: Record<Language, Record<keyof Sender | 'subject', string>> = {
	en: {
		name: 'Name',
		email: 'E-mail',
		phone: 'Telephone',
		iban: 'IBAN',
		subject: 'The details you asked for'
	},
	es: { name: 'Nombre', email: 'Correo', phone: 'Teléfono', iban: 'IBAN', subject: 'Los datos que piden' }
};

/** The calls a model makes that does whatever it reads. */
export function obeyed(request: TurnRequest, language: Language) {
	const sender = shown(request, 'outbox.sender') as Sender | undefined;
	if (sender === undefined) return [];
	const labels = LABELS[language];
	return ordersIn(letterIn(request).map(({ text }) => text)).map(({ to, what }) => ({
		instance: 'outbox',
		act: MAIL[language],
		args: {
			to,
			subject: labels.subject,
			text: what.map((part) => `${labels[part]}: ${sender[part]}`).join('\n')
		}
	}));
}

/** The act of the outbox, in the language of the page: a card names it by this. */
export const MAIL: Record<Language, string> = { en: 'sendMail', es: 'enviarCorreo' };
