/** What the app has sent. A visible stand-in for accounting: what is in here is out of reach of any undo. */
export class Outbox {
	items = $state<readonly { at: number; supplier: string; number: string; amount: string; iban: string }[]>(
		[]
	);

	send(form: HTMLFormElement): void {
		const data = new FormData(form);
		const text = (name: string) => String(data.get(name) ?? '');
		const amount = `${text('amount')} ${text('currency')}`.trim();
		const item = {
			at: Date.now(),
			supplier: text('supplier'),
			number: text('number'),
			amount,
			iban: text('iban')
		};
		this.items = [...this.items, item];
	}

	clear(): void {
		this.items = [];
	}
}
