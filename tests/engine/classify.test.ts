import { describe, expect, test } from 'vitest';
import { classify } from '../../src/lib/agent/steer/classify.js';
import type { Update } from '../../src/lib/agent/index.js';

/** What each phrase means, in English and Spanish; `ask` where nobody can tell. */
const PHRASES: readonly [Update['kind'] | 'ask', ...string[]][] = [
	[
		'cancel',
		'stop',
		'Stop!',
		'STOP NOW',
		'stop it please',
		'please stop',
		'cancel',
		'Cancel that.',
		'abort',
		'never mind'
	],
	[
		'cancel',
		'forget it',
		'stop everything',
		'call it off',
		'can you stop?',
		'Could you please stop now?',
		'enough'
	],
	[
		'cancel',
		'para',
		'¡Para ya!',
		'detente',
		'cancela',
		'cancélalo',
		'olvídalo',
		'déjalo',
		'basta',
		'¿puedes parar?'
	],
	[
		'pause',
		'wait',
		'Wait a moment',
		'hold on',
		'hang on please',
		'pause',
		'pause it',
		'one moment',
		'could you wait?'
	],
	['pause', 'espera', 'Espera un momento', 'pausa', 'un momento', 'aguarda por favor'],
	[
		'progress',
		'How far are you?',
		'what have you done so far',
		'status?',
		'Are you done?',
		'is it finished?',
		'progress'
	],
	[
		'progress',
		'¿Qué llevas hecho?',
		'¿cómo va?',
		'¿Has terminado?',
		'¿Cuánto falta?',
		'Why did you choose that date?'
	],
	[
		'goal',
		'New task: write to the supplier',
		'new goal, fill the calendar',
		'Forget that, write to Bilbao instead'
	],
	['goal', 'Nueva tarea: escribe al proveedor', 'Olvídalo, escribe a Bilbao'],
	[
		'correction',
		'Use euros',
		'in euros',
		'Stop using the old address',
		'stop adding tax',
		'the second one, not the first'
	],
	[
		'correction',
		'Can you make it euros?',
		'Could you use the new address, please?',
		'wait, use euros',
		'No, the other one'
	],
	[
		'correction',
		'Hold on: the date is wrong',
		'drop the last row',
		'leave the rest',
		'please use the net amount',
		"don't send it",
		'deja de usar dólares'
	],
	[
		'correction',
		'en euros, por favor',
		'¿Puedes usar euros?',
		'Espera, usa euros',
		'No, la otra',
		'la fecha es el 3 de mayo'
	],
	[
		'ask',
		'Wait until Friday for the due date',
		'cancel the second line',
		'pause the music',
		'Stop the second transfer'
	],
	['ask', 'cancela la segunda línea', 'para el segundo pago', 'espera hasta el viernes', 'hold the order']
];

describe('what is said to a run', () => {
	for (const [kind, ...phrases] of PHRASES)
		for (const phrase of phrases)
			test(`S3-06 S3-11 ${kind}: ${phrase}`, () => {
				expect(classify(phrase)?.kind ?? 'ask').toBe(kind);
			});

	test('S3-06 the words themselves are kept as they were said', () => {
		expect(classify(' Use €, please ')).toEqual({ kind: 'correction', text: ' Use €, please ' });
	});

	test('S3-11 what says nothing is no update', () => {
		for (const text of ['', '  ', '…', '!!']) expect(classify(text)).toBeUndefined();
	});
});
