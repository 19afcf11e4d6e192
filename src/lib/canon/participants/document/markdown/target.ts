/**
 * An address in brackets, and a title behind it: angled address, bare address, title. No part of it holds an open square
 * bracket unescaped, but for a title and an angled address, which end at their own sign: so a row of `](` stays linear.
 * @internal
 */
export const TARGET =
	/\((?:<((?:\\.|[^<>\\\n])*)>|((?:\\.|[^\s()[\]<>\\]|\((?:\\.|[^\s()[\]<>\\])*\))*))(?:[ \t]+"((?:\\[^\n]|[^"\\\n])*)")?[ \t]*\)/y;
