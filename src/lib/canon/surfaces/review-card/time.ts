import { localeOf } from '../../../langs/locale.js';

/** An absolute time for people: the hour alone today, else with its day. Of what is no time, nothing. */
export function shownTime(at: number, locale: string, now = Date.now()): string {
	const date = new Date(at);
	if (Number.isNaN(date.valueOf())) return '';
	const today = date.toDateString() === new Date(now).toDateString();
	return new Intl.DateTimeFormat(
		localeOf(locale),
		today
			? { hour: '2-digit', minute: '2-digit' }
			: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
	).format(date);
}
