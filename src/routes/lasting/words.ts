import type { Language } from '../site/texts.js';

const en = {
	nav: 'What lasts',
	title: 'What lasts',
	summary: 'A run outlasts a reload, is followed from a second window, and takes a change of course.',
	lede: 'This page keeps every record in your browser. Let Ada begin, and then try to lose her work.',
	goal: 'Name the order and post it',
	begin: 'Let Ada begin',
	tries: [
		'Load the page again while a card is open: the card is back, once, and what was done stays done.',
		'Open a second window: it follows, decides nothing, and can bring the run over.',
		'Tell Ada something else while she waits, such as “Call it Lisbon”: the card is made anew.'
	],
	reload: 'Load the page again',
	second: 'Open a second window',
	order: 'Order',
	none: 'without a name',
	posted: 'Posted',
	nothing: 'nothing yet',
	clear: 'Start afresh',
	name: 'Porto',
	names: 'I name the order.',
	posts: 'Now it can be posted.',
	over: 'The order is named and posted.'
};

/** Words of the page about what outlasts a page. */
export const lastingWords: Record<Language, typeof en> = {
	en,
	es: {
		nav: 'Lo que queda',
		title: 'Lo que queda',
		summary: 'Un encargo sobrevive a una recarga, se sigue desde otra ventana y admite un cambio de rumbo.',
		lede: 'Esta página guarda cada registro en tu navegador. Deja que Ada empiece e intenta perder su trabajo.',
		goal: 'Pon nombre al pedido y publícalo',
		begin: 'Que Ada empiece',
		tries: [
			'Recarga la página con una tarjeta abierta: vuelve, una sola vez, y lo hecho queda hecho.',
			'Abre otra ventana: sigue el encargo, no decide nada y puede traérselo.',
			'Dile otra cosa a Ada mientras espera, como «Llámalo Lisboa»: la tarjeta se hace de nuevo.'
		],
		reload: 'Recargar la página',
		second: 'Abrir otra ventana',
		order: 'Pedido',
		none: 'sin nombre',
		posted: 'Publicado',
		nothing: 'nada todavía',
		clear: 'Empezar de nuevo',
		name: 'Oporto',
		names: 'Pongo nombre al pedido.',
		posts: 'Ahora se puede publicar.',
		over: 'El pedido tiene nombre y está publicado.'
	}
};
