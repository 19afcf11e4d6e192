/** What stands where something is masked. */
export const MASK = '[redacted]';
