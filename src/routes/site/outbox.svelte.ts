import type { Sender } from '../stories/obey.js';

/** An invoice or a mail on its way. */
export type Sent = { at: number } & (
	| { kind: 'invoice'; supplier: string; number: string; amount: string; iban: string }
	| { kind: 'mail'; to: string; subject: string; text: string }
);

/** What the app has sent. A visible stand-in for the post: what is in here is out of reach of any undo. */
export class Outbox {
	items = $state<readonly Sent[]>([]);
	/** Who writes from this desk. Nobody real. */
	readonly sender: Sender = {
		name: 'Nadia Prieto',
		email: 'nadia.prieto@northlight.example',
		phone: '+34 976 555 014',
		iban: 'ES79 2100 0813 6101 2345 6789'
	};

	send(form: HTMLFormElement): void {
		const data = new FormData(form);
		const text = (name: string) => String(data.get(name) ?? '');
		const amount = `${text('amount')} ${text('currency')}`.trim();
		const item = {
			kind: 'invoice' as const,
			at: Date.now(),
			supplier: text('supplier'),
			number: text('number'),
			amount,
			iban: text('iban')
		};
		this.items = [...this.items, item];
	}

	post(mail: { to: string; subject: string; text: string }): void {
		this.items = [...this.items, { kind: 'mail', at: Date.now(), ...mail }];
	}
}
