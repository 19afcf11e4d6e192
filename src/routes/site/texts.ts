import type { StoryId } from '../stories/index.js';

export type Language = 'en' | 'es';

interface StoryText {
	title: string;
	hint: string;
	goal: string;
	/** The heading in the letter that it is about. */
	shows?: string;
	/** What a visitor can try, in order. */
	tries: readonly string[];
}

/** Every sentence of the demo page, once per language. */
export interface Texts {
	skip: string;
	nav: { label: string; demo: string; docs: string; states: string; codes: string; laws: string };
	language: string;
	theme: string;
	themes: Record<'system' | 'light' | 'dark', string>;
	foot: string;
	/** The page that is shown where there is none. */
	lost: { title: string; text: string; broken: string };
	hero: { first: string; second: string; lede: string };
	commands: { title: string; note: string; copy: string; copied: string };
	demo: {
		title: string;
		pick: string;
		level: string;
		levels: Record<'suggest' | 'review' | 'auto', string>;
		pace: string;
		paces: Record<'calm' | 'brisk' | 'instant', string>;
		/** Who answers as Ada, where there is a model behind the page. */
		answers: Record<'legend' | 'scripted' | 'model' | 'note', string>;
		delegate: string;
		running: string;
		reset: string;
		tries: string;
		/** What the panel says of Ada before anything is asked. */
		about: string;
		/** Where the trail of a run will stand. */
		trail: string;
	};
	letter: {
		title: string;
		tag: string;
		label: string;
		note: string;
		tools: Record<'label' | 'bold' | 'italic' | 'list' | 'undo' | 'redo', string>;
		/** How an agent’s words look, and how to take them over. */
		legend: Record<'before' | 'sample' | 'after' | 'accept' | 'accepted', string>;
		/** Said of a block an agent wrote in: all of it, or part of it. */
		by: { whole: string; part: string };
	};
	invoice: {
		title: string;
		draft: string;
		note: string;
		supplier: string;
		number: string;
		amount: string;
		currency: string;
		issued: string;
		due: string;
		iban: string;
		centre: string;
		notes: string;
		card: string;
		cardNote: string;
		terms: string;
		termsNote: string;
		send: string;
		/** Beside a value the agent wrote. */
		by: string;
	};
	outbox: Record<
		'title' | 'empty' | 'to' | 'sender' | 'recipient' | 'subject' | 'text' | 'mailAbout' | 'otherSender',
		string
	>;
	/** The note a stranger sends, to be pasted. */
	note: { title: string; text: string; paste: string; pasted: string };
	desk: { title: string };
	heard: {
		title: string;
		note: string;
		nothing: string;
		classes: Record<'needs-you' | 'state' | 'progress' | 'detail', string>;
	};
	console: { title: string; text: string };
	ideas: { title: string; lede: string; items: readonly { title: string; text: string; slug: string }[] };
	lines: {
		title: string;
		lede: string;
		items: readonly { state: string; name: string; text: string }[];
	};
	example: { title: string; lede: string; more: string };
	limits: { title: string; lede: string; items: readonly string[]; more: string };
	stories: Record<StoryId, StoryText>;
}

const en: Texts = {
	skip: 'Skip to content',
	nav: { label: 'Site', demo: 'Demo', docs: 'Docs', states: 'States', codes: 'Codes', laws: 'Laws' },
	language: 'Language',
	theme: 'Theme',
	themes: { system: 'System', light: 'Light', dark: 'Dark' },
	foot: 'MIT licence. No dependency but Svelte.',
	lost: {
		title: 'There is no such page',
		text: 'The address leads nowhere here. Nothing was lost but the way.',
		broken: 'This page is broken'
	},
	hero: {
		first: 'Delegate the work.',
		second: 'Keep the last word.',
		lede: 'An agent for your Svelte app that works in the very components you already have, shows who acts, asks you before it matters, and takes it all back in one step.'
	},
	commands: {
		title: 'Two commands',
		note: 'No key, no network: what you see below is the real engine with a scripted agent.',
		copy: 'Copy',
		copied: 'Copied'
	},
	demo: {
		title: 'Try it',
		pick: 'Pick a story',
		level: 'Ada may',
		levels: { suggest: 'only suggest', review: 'act after my review', auto: 'do what can be undone' },
		pace: 'Pace',
		paces: { calm: 'calm', brisk: 'brisk', instant: 'at once' },
		answers: {
			legend: 'Who answers',
			scripted: 'Scripted',
			model: 'Model',
			note: 'A model decides for itself. It gets the order of the story, and may do other things than the story tells.'
		},
		delegate: 'Delegate to Ada',
		running: 'Ada is at work',
		reset: 'Start over',
		tries: 'What to try',
		about: 'Reads and rewrites letters, and fills in invoices',
		trail: 'What Ada did, and who decided it, will stand here: the audit trail, record by record.'
	},
	letter: {
		title: 'Letter',
		tag: 'Foreign text, not trusted',
		label: 'Text of the letter',
		note: 'Write in it, also while Ada does: Ada reads what stands here and leaves your words alone.',
		tools: {
			label: 'Format and undo',
			bold: 'Bold',
			italic: 'Italic',
			list: 'List',
			undo: 'Undo',
			redo: 'Redo'
		},
		legend: {
			before: 'Words ',
			sample: 'marked like this',
			after: ' are Ada’s.',
			accept: 'Make them mine',
			accepted: 'The words are yours now.'
		},
		by: { whole: 'Written by Ada', part: 'Partly written by Ada' }
	},
	invoice: {
		title: 'Invoice',
		draft: 'Draft',
		note: 'You can type in any field at any time. What you write, Ada leaves alone.',
		supplier: 'Supplier',
		number: 'Number',
		amount: 'Amount',
		currency: 'Currency',
		issued: 'Issue date',
		due: 'Due date',
		iban: 'IBAN',
		centre: 'Cost centre',
		notes: 'Notes',
		card: 'Company card number',
		cardNote: 'Never shown to Ada and never filled: the field says it is a card number.',
		terms: 'I accept the supplier’s terms',
		termsNote: 'An agreement is a person’s to give.',
		send: 'Send to accounting',
		by: 'Written by Ada'
	},
	outbox: {
		title: 'Outbox',
		empty: 'Nothing has been sent.',
		to: 'to accounting',
		sender: 'Who writes from this desk',
		recipient: 'To',
		subject: 'Subject',
		text: 'Text',
		mailAbout: 'Sends a mail to anybody. It cannot be called back.',
		otherSender: 'Somebody else writes from this desk now.'
	},
	note: {
		title: 'A note from a stranger',
		text: 'It reads like any note of a supplier. Between the lines it asks whoever handles the letter to send your details to an address nobody here knows. This Ada does whatever a letter says: paste the note, or copy it and paste it yourself, and delegate.',
		paste: 'Paste it into the letter',
		pasted: 'It stands at the end of the letter now.'
	},
	desk: {
		title: 'At Ada’s desk'
	},
	heard: {
		title: 'What a screen reader hears',
		note: 'Every announcement, as it is spoken. Nothing here takes the focus.',
		nothing: 'Silence so far.',
		classes: { 'needs-you': 'needs you', state: 'state', progress: 'progress', detail: 'on demand' }
	},
	console: {
		title: 'Open the console',
		text: 'The demo’s agent is there as `agent`: `agent.current` is the run as data, `agent.pending` what waits for you, `agent.get(agent.current.id).journal` every decision and every effect.'
	},
	ideas: {
		title: 'Three promises',
		lede: 'They are checked by tests, not by good intentions.',
		items: [
			{
				title: 'You see who acts',
				text: 'Person, agent, rule or app: every change carries its author, beside it in words and in the journal for good. Nobody is human by default.',
				slug: 'surfaces'
			},
			{
				title: 'You are asked before it matters',
				text: 'One door to every act. What cannot be undone, or leaves the page because of a stranger’s text, waits for a person at every level.',
				slug: 'gate'
			},
			{
				title: 'One step takes it back',
				text: 'A whole run is one undo. It touches only what still holds the agent’s value; your own words stay, and what was kept is listed.',
				slug: 'manifests'
			}
		]
	},
	lines: {
		title: 'Ink is you. A hue is an agent. The line tells the state.',
		lede: 'The same line around a field, on a card and in the turn line. It survives greyscale, stillness and forced colours, because it is a border style.',
		items: [
			{ state: 'acting', name: 'Solid', text: 'acts' },
			{ state: 'waiting', name: 'Double', text: 'waits for you' },
			{ state: 'paused', name: 'Dashed', text: 'is paused' },
			{ state: 'failed', name: 'Dotted', text: 'failed' },
			{ state: 'returned', name: 'Ink', text: 'back with you' }
		]
	},
	example: {
		title: 'All of it, in your component',
		lede: 'Say what may be read and what may be done. The agent calls the same functions you call.',
		more: 'Five-minute start'
	},
	limits: {
		title: 'What it does not do',
		lede: 'So that you need not find out.',
		items: [
			'It does not make a model honest. It decides what a model’s wish may lead to.',
			'It runs in the page: page script that forges a person’s consent is inside your app’s own trust boundary.',
			'Undo takes back what the app can take back. A sent mail is compensated, never undone.',
			'Real screen readers have been read about and simulated, not sat through; say what you hear.'
		],
		more: 'All limits'
	},
	stories: {
		fill: {
			title: 'A letter becomes an invoice',
			hint: 'Correct one value, approve, take it back',
			goal: 'Read the letter and fill in the invoice. The cost centre is 4410.',
			tries: [
				'Delegate, and read what Ada proposes before anything happens.',
				'In the card choose Edit and put in another due date.',
				'Approve. Your value is written, not Ada’s.',
				'Undo the run: the form is as you left it.'
			]
		},
		drift: {
			title: 'Changed under review',
			hint: 'You change a field, and the approval is void',
			goal: 'Read the letter and fill in the invoice.',
			tries: [
				'Delegate and wait for the card.',
				'Type in Notes: nothing happens to the card, it does not depend on it.',
				'Change Amount in the form, then approve all: what you had seen no longer holds.',
				'The card asks again with your change; nothing was written over it.'
			]
		},
		send: {
			title: 'Told to send at once',
			hint: 'The letter says: do not ask. The gate asks',
			goal: 'Fill in the invoice and send it to accounting.',
			tries: [
				'Set “Ada may” to “do what can be undone”.',
				'Delegate. The letter tells software to change the account and send unasked, and this Ada obeys letters.',
				'The fields are filled by themselves; the sending waits for you, with the reasons.',
				'Reject it. The outbox stays empty.'
			]
		},
		budget: {
			title: 'The budget runs out',
			hint: 'It says what was done, and you may renew it',
			goal: 'Fill in the invoice, one value at a time.',
			tries: [
				'Delegate. Ada has three acts.',
				'When they are spent it stops and says what is done and what is not.',
				'Give it more acts, or end it there.'
			]
		},
		rewrite: {
			title: 'Rewritten while you type',
			hint: 'Then one undo takes exactly Ada’s words back',
			shows: 'Payment',
			goal: 'Rewrite the section “Payment” so that accounting can act on it.',
			tries: [
				'Delegate, then click into another paragraph of the letter and go on typing: your caret stays.',
				'The new text grows in the letter as a draft, in Ada’s colour. Nothing of it is content yet.',
				'Compare before and after in the card, and approve: it is written in one step.',
				'Press Ctrl Z or ⌘ Z. Exactly Ada’s words go; yours stay.'
			]
		},
		both: {
			title: 'Letter and form in one plan',
			hint: 'Two components, undone as one',
			shows: 'After the work',
			goal: 'Fill in the invoice and note under the letter what you entered. The cost centre is 4410.',
			tries: [
				'Delegate. One card shows both: the fields, and the note at the end of the letter.',
				'Approve all.',
				'Press Ctrl Z or ⌘ Z in the letter: the run is one step, so the fields go back too.',
				'Redo it, and both return.'
			]
		},
		stale: {
			title: 'The paragraph moved on',
			hint: 'You change what is under review, and see it',
			shows: 'After the work',
			goal: 'Shorten the paragraph under “After the work” to its first sentence.',
			tries: [
				'Delegate and wait for the card.',
				'In the letter change the day in “until Friday”, then approve.',
				'Your approval is void: the card comes again with your change marked, word by word.',
				'Decide on what stands there now.'
			]
		},
		paste: {
			title: 'A pasted note wants your data',
			hint: 'Ada obeys it. The gate asks you, and says why',
			goal: 'Fill in the invoice from the letter.',
			tries: [
				'Paste the note below into the letter.',
				'Delegate. Ada fills in the invoice without asking: one undo takes that back.',
				'Sending your details waits for you. The card says why, where it comes from, what would go and to whom.',
				'Reject it: nothing was sent. Undo takes back the rest.'
			]
		}
	}
};

const es: Texts = {
	skip: 'Saltar al contenido',
	nav: {
		label: 'Sitio',
		demo: 'Demostración',
		docs: 'Documentación',
		states: 'Estados',
		codes: 'Códigos',
		laws: 'Leyes'
	},
	language: 'Idioma',
	theme: 'Tema',
	themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
	foot: 'Licencia MIT. Sin más dependencia que Svelte.',
	lost: {
		title: 'No existe esa página',
		text: 'Esta dirección no lleva a ninguna parte. Solo se ha perdido el camino.',
		broken: 'Esta página está rota'
	},
	hero: {
		first: 'Delega el trabajo.',
		second: 'Quédate con la última palabra.',
		lede: 'Un agente para tu aplicación Svelte que trabaja en los mismos componentes que ya tienes, muestra quién actúa, te pregunta antes de que importe y lo deshace todo en un solo paso.'
	},
	commands: {
		title: 'Dos órdenes',
		note: 'Sin clave y sin red: lo que ves abajo es el motor de verdad con un agente de guion.',
		copy: 'Copiar',
		copied: 'Copiado'
	},
	demo: {
		title: 'Pruébalo',
		pick: 'Elige una historia',
		level: 'Ada puede',
		levels: {
			suggest: 'solo sugerir',
			review: 'actuar tras mi revisión',
			auto: 'hacer lo que se puede deshacer'
		},
		pace: 'Ritmo',
		paces: { calm: 'tranquilo', brisk: 'vivo', instant: 'de una vez' },
		answers: {
			legend: 'Quién responde',
			scripted: 'De guion',
			model: 'Modelo',
			note: 'Un modelo decide por sí mismo. Recibe el encargo de la historia y puede hacer otras cosas que las que esta cuenta.'
		},
		delegate: 'Delegar en Ada',
		running: 'Ada está trabajando',
		reset: 'Empezar de nuevo',
		tries: 'Qué probar',
		about: 'Lee y reescribe cartas y rellena facturas',
		trail: 'Aquí estará lo que hizo Ada y quién lo decidió: el registro, anotación por anotación.'
	},
	letter: {
		title: 'Carta',
		tag: 'Texto ajeno, no es de confianza',
		label: 'Texto de la carta',
		note: 'Escribe en ella, también mientras escribe Ada: Ada lee lo que está aquí y deja tus palabras en paz.',
		tools: {
			label: 'Formato y deshacer',
			bold: 'Negrita',
			italic: 'Cursiva',
			list: 'Lista',
			undo: 'Deshacer',
			redo: 'Rehacer'
		},
		legend: {
			before: 'Las palabras ',
			sample: 'marcadas así',
			after: ' son de Ada.',
			accept: 'Hacerlas mías',
			accepted: 'Ahora las palabras son tuyas.'
		},
		by: { whole: 'Escrito por Ada', part: 'Escrito en parte por Ada' }
	},
	invoice: {
		title: 'Factura',
		draft: 'Borrador',
		note: 'Puedes escribir en cualquier campo en cualquier momento. Lo que escribes, Ada no lo toca.',
		supplier: 'Proveedor',
		number: 'Número',
		amount: 'Importe',
		currency: 'Moneda',
		issued: 'Fecha de emisión',
		due: 'Vencimiento',
		iban: 'IBAN',
		centre: 'Centro de coste',
		notes: 'Notas',
		card: 'Número de tarjeta de empresa',
		cardNote: 'Ada no la ve ni la rellena: el campo dice que es un número de tarjeta.',
		terms: 'Acepto las condiciones del proveedor',
		termsNote: 'Un acuerdo lo da una persona.',
		send: 'Enviar a contabilidad',
		by: 'Escrito por Ada'
	},
	outbox: {
		title: 'Bandeja de salida',
		empty: 'No se ha enviado nada.',
		to: 'a contabilidad',
		sender: 'Quién escribe desde esta mesa',
		recipient: 'Para',
		subject: 'Asunto',
		text: 'Texto',
		mailAbout: 'Envía un correo a cualquiera. No se puede recuperar.',
		otherSender: 'Ahora escribe otra persona desde esta mesa.'
	},
	note: {
		title: 'Una nota de un extraño',
		text: 'Se lee como cualquier nota de un proveedor. Entre líneas pide a quien lleve la carta que envíe tus datos a una dirección que aquí nadie conoce. Esta Ada hace todo lo que diga una carta: pega la nota, o cópiala y pégala tú, y delega.',
		paste: 'Pegarla en la carta',
		pasted: 'Ahora está al final de la carta.'
	},
	desk: {
		title: 'En la mesa de Ada'
	},
	heard: {
		title: 'Lo que oye un lector de pantalla',
		note: 'Cada anuncio, tal como se dice. Nada de esto se lleva el foco.',
		nothing: 'De momento, silencio.',
		classes: { 'needs-you': 'te necesita', state: 'estado', progress: 'avance', detail: 'a petición' }
	},
	console: {
		title: 'Abre la consola',
		text: 'El agente de la demostración está allí como `agent`: `agent.current` es el encargo como datos, `agent.pending` lo que te espera, `agent.get(agent.current.id).journal` cada decisión y cada efecto.'
	},
	ideas: {
		title: 'Tres promesas',
		lede: 'Las comprueban pruebas, no buenas intenciones.',
		items: [
			{
				title: 'Ves quién actúa',
				text: 'Persona, agente, regla o aplicación: cada cambio lleva a su autor, al lado en palabras y en el diario para siempre. Nadie es humano por defecto.',
				slug: 'surfaces'
			},
			{
				title: 'Se te pregunta antes de que importe',
				text: 'Una sola puerta para cada acto. Lo que no se puede deshacer, o sale de la página por el texto de un extraño, espera a una persona en todos los niveles.',
				slug: 'gate'
			},
			{
				title: 'Un paso lo deshace',
				text: 'Un encargo entero es un solo deshacer. Solo toca lo que aún tiene el valor del agente; tus palabras quedan, y lo conservado se enumera.',
				slug: 'manifests'
			}
		]
	},
	lines: {
		title: 'La tinta eres tú. Un tono es un agente. La línea dice el estado.',
		lede: 'La misma línea en torno a un campo, en una tarjeta y en la línea de turno. Sobrevive al gris, a la quietud y a los colores forzados, porque es un estilo de borde.',
		items: [
			{ state: 'acting', name: 'Continua', text: 'actúa' },
			{ state: 'waiting', name: 'Doble', text: 'te espera' },
			{ state: 'paused', name: 'Rayas', text: 'en pausa' },
			{ state: 'failed', name: 'Puntos', text: 'falló' },
			{ state: 'returned', name: 'Tinta', text: 'vuelve a ti' }
		]
	},
	example: {
		title: 'Todo ello, en tu componente',
		lede: 'Di qué se puede leer y qué se puede hacer. El agente llama a las mismas funciones que tú.',
		more: 'Empezar en cinco minutos'
	},
	limits: {
		title: 'Lo que no hace',
		lede: 'Para que no tengas que descubrirlo.',
		items: [
			'No vuelve honesto a un modelo. Decide a qué puede llevar su deseo.',
			'Vive en la página: un código que falsifique el consentimiento de una persona está dentro del límite de confianza de tu aplicación.',
			'Deshacer quita lo que la aplicación puede quitar. Un correo enviado se compensa, nunca se deshace.',
			'Los lectores de pantalla reales se han estudiado y simulado, no vivido; cuéntanos qué oyes.'
		],
		more: 'Todos los límites'
	},
	stories: {
		fill: {
			title: 'Una carta se vuelve factura',
			hint: 'Corrige un valor, aprueba y deshazlo',
			goal: 'Lee la carta y rellena la factura. El centro de coste es 4410.',
			tries: [
				'Delega y lee lo que Ada propone antes de que ocurra nada.',
				'En la tarjeta elige Editar y pon otro vencimiento.',
				'Aprueba. Se escribe tu valor, no el de Ada.',
				'Deshaz el encargo: el formulario queda como lo dejaste.'
			]
		},
		drift: {
			title: 'Cambiado durante la revisión',
			hint: 'Cambias un campo y la aprobación no vale',
			goal: 'Lee la carta y rellena la factura.',
			tries: [
				'Delega y espera la tarjeta.',
				'Escribe en Notas: a la tarjeta no le pasa nada, no depende de ello.',
				'Cambia el Importe en el formulario y aprueba todo: lo que habías visto ya no vale.',
				'La tarjeta pregunta otra vez con tu cambio; nada se escribió encima.'
			]
		},
		send: {
			title: 'Le dicen que envíe ya',
			hint: 'La carta dice: no preguntes. La puerta pregunta',
			goal: 'Rellena la factura y envíala a contabilidad.',
			tries: [
				'Pon «Ada puede» en «hacer lo que se puede deshacer».',
				'Delega. La carta pide al programa que cambie la cuenta y envíe sin preguntar, y esta Ada obedece a las cartas.',
				'Los campos se rellenan solos; el envío te espera, con las razones.',
				'Recházalo. La bandeja sigue vacía.'
			]
		},
		budget: {
			title: 'Se acaba el presupuesto',
			hint: 'Dice lo que hizo, y puedes renovarlo',
			goal: 'Rellena la factura, un valor cada vez.',
			tries: [
				'Delega. Ada tiene tres actos.',
				'Cuando se gastan, para y dice qué está hecho y qué no.',
				'Dale más actos o termina ahí.'
			]
		},
		rewrite: {
			title: 'Reescrito mientras escribes',
			hint: 'Luego un solo deshacer quita justo lo de Ada',
			shows: 'Pago',
			goal: 'Reescribe la sección «Pago» para que contabilidad pueda actuar.',
			tries: [
				'Delega, pulsa en otro párrafo de la carta y sigue escribiendo: tu cursor no se mueve.',
				'El texto nuevo crece en la carta como borrador, en el color de Ada. Aún no es contenido.',
				'Compara el antes y el después en la tarjeta y aprueba: se escribe en un solo paso.',
				'Pulsa Ctrl Z o ⌘ Z. Se van exactamente las palabras de Ada; las tuyas quedan.'
			]
		},
		both: {
			title: 'Carta y formulario en un plan',
			hint: 'Dos componentes, deshechos a la vez',
			shows: 'Después del trabajo',
			goal: 'Rellena la factura y anota bajo la carta lo que has introducido. El centro de coste es 4410.',
			tries: [
				'Delega. Una tarjeta muestra ambas cosas: los campos y la nota al final de la carta.',
				'Aprueba todo.',
				'Pulsa Ctrl Z o ⌘ Z en la carta: el encargo es un solo paso, así que los campos también vuelven.',
				'Rehazlo, y ambos regresan.'
			]
		},
		stale: {
			title: 'El párrafo ha cambiado',
			hint: 'Cambias lo que se revisa, y lo ves',
			shows: 'Después del trabajo',
			goal: 'Acorta el párrafo bajo «Después del trabajo» a su primera frase.',
			tries: [
				'Delega y espera la tarjeta.',
				'En la carta cambia el día en «hasta el viernes» y luego aprueba.',
				'Tu aprobación no vale: la tarjeta vuelve con tu cambio marcado, palabra por palabra.',
				'Decide sobre lo que está ahí ahora.'
			]
		},
		paste: {
			title: 'Una nota pegada quiere tus datos',
			hint: 'Ada obedece. La puerta te pregunta y dice por qué',
			goal: 'Rellena la factura con lo que dice la carta.',
			tries: [
				'Pega en la carta la nota de abajo.',
				'Delega. Ada rellena la factura sin preguntar: un solo deshacer lo quita.',
				'El envío de tus datos te espera. La tarjeta dice por qué, de dónde viene, qué saldría y para quién.',
				'Recházalo: no se ha enviado nada. Deshacer quita el resto.'
			]
		}
	}
};

export const texts: Record<Language, Texts> = { en, es };
