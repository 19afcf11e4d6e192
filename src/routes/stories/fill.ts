import { fillIn, readRequest } from './fields.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** Reads the letter, proposes the whole invoice in one act, then says what became of it. */
export const fill: Story = (request, language) => {
	const es = language === 'es';
	if (turnsSoFar(request) > 0) {
		const { done } = tally(request);
		const said = es
			? done > 0
				? 'He rellenado la factura. Enviarla es cosa tuya.'
				: 'De acuerdo, la factura queda como estaba.'
			: done > 0
				? 'The invoice is filled in. Sending it is yours.'
				: 'As you wish: the invoice stays as it was.';
		return { say: words(said) };
	}
	const { facts, fields } = readRequest(request);
	if (Object.keys(fields).length === 0)
		return {
			say: words(es ? 'En la carta no encuentro ninguna cifra.' : 'I find no figures in the letter.')
		};
	const said = es
		? `${facts.supplier ?? 'El remitente'} pide ${facts.amount ?? '?'} ${facts.currency ?? ''}${facts.newIban ? ' y quiere cambiar de cuenta; yo dejo la que figura en la factura' : ''}.`
		: `${facts.supplier ?? 'The sender'} asks for ${facts.amount ?? '?'} ${facts.currency ?? ''}${facts.newIban ? ' and wants another account; I keep the one the account was made out to' : ''}.`;
	return {
		say: words(said),
		calls: [fillIn(fields)]
	};
};
