import type { Closed } from './field.js';

/** What decides whether a field is open. Names and labels are given as they are. @since 0.1.0 */
export interface DenyFacts {
	type: string;
	name: string;
	label: string;
	autocomplete?: string;
	/** The app's word: value of the nearest `data-agent`. */
	mark?: string;
	disabled?: boolean;
	readonly?: boolean;
	inert?: boolean;
}

const SECRET_TYPES = new Set(['password', 'file', 'hidden']);
const SECRET_AUTOCOMPLETE = /(^|\s)(one-time-code|current-password|new-password|cc-[a-z-]+)(\s|$)/;
const BUTTON_TYPES = new Set(['output', 'image', 'submit', 'reset', 'button']);

/** Passwords, codes, card data, proofs of identity, proofs of being human, in words of en, es, de, fr, it, pt. */
const SECRET_WORDS = new RegExp(
	[
		'\\b(pass ?(word|phrase|code)|pwd|passwd|contrasena|clave secreta|passwort|kennwort|mot de passe|senha)\\b',
		'\\b(otp|totp|2fa|mfa|one time (code|password)|verification code|codigo de verificacion|bestatigungscode|code de verification)\\b',
		'\\b(pin|pin code)\\b',
		'\\b(cc ?(num|number|csc|exp)|card ?number|cardnumber|credit ?card|cvv2?|cvc2?|csc|numero de tarjeta|kartennummer|kreditkarte(nnummer)?|numero de carte)\\b',
		'\\b(api key|secret( key)?|access token|private key)\\b',
		'\\b(re|h)?captcha\\b',
		'\\b(signature|firma|unterschrift)\\b',
		'\\b(ssn|social security( number)?|numero de seguridad social|sozialversicherungsnummer|securite sociale)\\b',
		'\\b(passport( number| no)?|pasaporte|reisepass(nummer)?|passeport|dni|nie|national id|personalausweis(nummer)?|steuer id)\\b'
	].join('|')
);

/** Agreements and advertising, same languages. Terms *of payment* are no consent. */
const CONSENT_WORDS = new RegExp(
	[
		'(?<!payment |delivery |credit )\\bterms\\b(?! of payment)|\\b(consent|i agree|agree to|i accept|accept (the|our|these|all)|privacy|gdpr|marketing|newsletter|subscribe|opt in|promotional|cookies)',
		'\\b(terminos|condiciones(?! de pago)|consentimiento|consiento|acepto|privacidad|rgpd|boletin|suscrib|publicidad|promocion)',
		'\\b(agb|einwillig|einverstanden|zustimm|stimme .*zu\\b|datenschutz|dsgvo|nutzungsbedingung|geschaftsbedingung|akzeptiere|werbung|abonnier|werbliche)',
		"\\b(conditions (generales|d'utilisation)|cgu|cgv|consens|consentement|j'accepte|accepte les|confidentialite|lettre d'information|abonne|publicite|promotionnel)",
		'\\b(termini|consenso|accetto|termos|aceito|concordo|privacidade)'
	].join('|')
);

/** Lower case, no accents, camelCase and punctuation as spaces. */
function words(text: string): string {
	return text
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.normalize('NFD')
		.replace(/\p{Diacritic}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9']+/g, ' ')
		.trim();
}

const isTick = (type: string): boolean => type === 'checkbox' || type === 'checkboxes' || type === 'radio';

/**
 * Whether a field is closed to everybody but the person, and whether its value stays in. What the browser itself calls
 * secret (type and `autocomplete`) and `data-agent="never"` cannot be opened; what only its name or label suggests can, by
 * `data-agent="allow"`, and then wants a review each time.
 * @since 0.1.0
 */
export function closing(facts: DenyFacts): { closed?: Closed; opened?: true } {
	const { type, mark } = facts;
	if (mark === 'never') return { closed: { reason: 'never', secret: true } };
	if (SECRET_TYPES.has(type) || SECRET_AUTOCOMPLETE.test((facts.autocomplete ?? '').toLowerCase()))
		return { closed: { reason: 'secret', secret: true } };

	const said = `${words(facts.name)} | ${words(facts.label)}`;
	const secret = !isTick(type) && !BUTTON_TYPES.has(type) && SECRET_WORDS.test(said);
	const consent = isTick(type) && CONSENT_WORDS.test(said);
	const guarded = secret || consent;
	if (guarded && mark !== 'allow')
		return { closed: secret ? { reason: 'secret', secret } : { reason: 'consent', secret } };

	const opened = guarded ? ({ opened: true } as const) : {};
	if (BUTTON_TYPES.has(type)) return { closed: { reason: 'type', secret: false } };
	if (facts.inert) return { closed: { reason: 'inert', secret: false }, ...opened };
	if (facts.disabled) return { closed: { reason: 'disabled', secret: false }, ...opened };
	if (facts.readonly) return { closed: { reason: 'readonly', secret: false }, ...opened };
	return opened;
}

/** In one sentence, for the model and the person. @since 0.1.0 */
export function whyClosed(label: string, closed: Closed): string {
	switch (closed.reason) {
		case 'secret':
			return `"${label}" is confidential: only the person fills it in.`;
		case 'never':
			return `"${label}" is kept from agents by the app.`;
		case 'consent':
			return `"${label}" is an agreement: only the person gives it.`;
		case 'type':
			return `"${label}" is computed by the form.`;
		default:
			return `"${label}" is ${closed.reason} at present.`;
	}
}
