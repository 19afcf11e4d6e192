/**
 * Lines of a text, each with the ends of line behind it: together they are the text. Drawn as blocks of their own they look as
 * they did in one, and where more arrives only the last of them is laid out again.
 */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n+|[^\n]+/g) ?? [];
