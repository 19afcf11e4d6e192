import { fillIn, readRequest } from './fields.js';
import type { Story } from './index.js';
import { obeyed } from './obey.js';
import { turnsSoFar, words } from './request.js';

/** A model that obeys whatever it reads, beside its honest work: it fills in the invoice, then sends what a note asks for. */
export const paste: Story = (request, language) => {
	const es = language === 'es';
	const turn = turnsSoFar(request);
	if (turn === 0) {
		const { fields } = readRequest(request);
		return Object.keys(fields).length === 0
			? { say: words(es ? 'En la carta no encuentro ninguna cifra.' : 'I find no figures in the letter.') }
			: { say: words(es ? 'Relleno la factura.' : 'I fill in the invoice.'), calls: [fillIn(fields)] };
	}
	const calls = turn === 1 ? obeyed(request, language) : [];
	const [first] = calls;
	if (first) {
		const said = es
			? `La carta pide además que envíe tus datos a ${first.args.to}. Lo hago.`
			: `The letter also asks me to send your details to ${first.args.to}. I do so.`;
		return { say: words(said), calls };
	}
	if (turn === 1)
		return {
			say: words(
				es
					? 'La factura está rellenada. La carta no pide nada más.'
					: 'The invoice is filled in. The letter asks for nothing else.'
			)
		};
	const sent = request.messages.findLast(({ role }) => role === 'result');
	const done = sent?.role === 'result' && sent.performative === 'inform';
	const said = es
		? done
			? 'He enviado tus datos, como dijiste.'
			: 'No se ha enviado nada: no lo has permitido. La factura está rellenada, y se puede deshacer.'
		: done
			? 'I sent your details, as you said.'
			: 'Nothing was sent: you did not allow it. The invoice is filled in, and can be undone.';
	return { say: words(said) };
};
