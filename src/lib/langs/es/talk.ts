import type { TalkWords } from '../language.js';
import { list, some } from './words.js';

const number = (n: number): string => n.toLocaleString('es');
const money = (n: number): string =>
	n.toLocaleString('es', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @since 0.1.0 */
export const talk: TalkWords = {
	attach: 'Adjuntar…',
	canUse: (agent, labels, more) =>
		`${agent} puede trabajar aquí en ${list(more > 0 ? [...labels, `${more} más`] : labels)}.`,
	nothingHere: (agent) => `Nada de esta página deja actuar a ${agent}. Aun así puede responder.`,
	notLoaded: 'No se ha podido cargar la conversación.',
	loading: 'La conversación se está cargando.',
	when: 'Cuándo',
	now: 'Ahora',
	nowMeans: 'cambia lo que hace',
	after: 'Después de este encargo',
	afterMeans: 'espera su turno',
	noFilesNow: 'Lo adjunto va con un encargo propio, después de este.',
	taken: {
		progress: (sentence) => `${sentence}. No ha cambiado nada.`,
		correction: 'Se toma como corrección. El plan se hace de nuevo.',
		goal: 'Se toma como nuevo objetivo. El plan se hace de nuevo.',
		pause: 'Se toma como pausa. No se hace nada hasta que lo reanudes.',
		cancel: 'Se toma como orden de parar.'
	},
	log: 'Lo dicho y lo hecho',
	by: { app: 'Esta aplicación', rule: 'Una regla', outside: 'De fuera' },
	at: (name, time) => `${name}, ${time}`,
	writing: 'está escribiendo',
	below: 'Hay palabras nuevas abajo',
	tryAgain: 'Intentar de nuevo',
	takeBack: 'Retirarlo',
	asked: (agent) => `${agent} preguntó`,
	answered: {
		open: 'espera tu respuesta',
		answered: 'respondida',
		declined: 'sin respuesta',
		expired: 'fuera de plazo'
	},
	begun: 'empezado por su cuenta',
	plan: 'Plan',
	counts: (done, acting, coming) =>
		[done && some(done, 'hecho'), acting && `${acting} en marcha`, coming && `${coming} por hacer`]
			.filter(Boolean)
			.join(', '),
	level: 'Nivel',
	levelOf: (agent) => `¿Cuánto puede hacer ${agent}?`,
	levels: {
		suggest: 'Solo proponer',
		review: 'Actuar tras mi revisión',
		auto: 'Hacer lo que se puede deshacer'
	},
	levelMeans: {
		suggest: 'No se hace nada, ves lo que haría.',
		review: 'Decides sobre cada cambio antes de que ocurra.',
		auto: 'Lo que se puede deshacer se hace enseguida; para lo demás te pregunta.'
	},
	ceiling: 'Esta aplicación no permite más.',
	aboveCeiling: 'no permitido en esta aplicación',
	fromNextTurn: 'Un nivel más alto cuenta desde el próximo turno.',
	budget: 'Hasta ahora',
	spent: {
		acts: (at, of) => `${at} de ${some(of, 'acto')}`,
		turns: (at, of) => `${at} de ${some(of, 'turno')}`,
		tokens: (at, of) => `${number(at)} de ${number(of)} tokens`,
		cost: (at, of) => `${money(at)} de ${money(of)}`,
		ms: (at, of) => `${at} de ${of}`
	},
	limits: { acts: 'Actos', turns: 'Turnos', tokens: 'Tokens', cost: 'Gasto', ms: 'Tiempo' },
	nearly: 'casi agotado',
	more: 'Anteriores',
	earlier: 'Conversaciones',
	fresh: 'Nueva',
	freshName: 'Nueva conversación',
	runs: (n) => some(n, 'encargo'),
	shown: 'se ve aquí',
	attached: 'Adjunto',
	pasted: (n) => `Texto pegado${n > 1 ? ` ${n}` : ''}`,
	characters: (n) => `${number(n)} caracteres`,
	untrusted: 'no es de confianza',
	remove: (name) => `Quitar ${name}`,
	ownWords: 'Usarlo como palabras mías',
	wasPasted: 'El texto largo pegado se adjunta como palabras de otros. Si es tuyo, dilo.',
	tooLong: (name, most) => `${name} es demasiado largo: caben como mucho ${number(most)} caracteres.`,
	tooMuch: (most) => `En total caben como mucho ${number(most)} caracteres.`,
	tooMany: (most) => `Caben como mucho ${most} textos.`,
	noText: (name) => `${name} no es un texto.`,
	unread: (name) => `No se ha podido leer ${name}.`
};
