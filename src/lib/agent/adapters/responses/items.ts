/** An item of a request or of a response. @internal */
export type Item = Record<string, unknown>;

/** A call of a tool of the page. @internal */
export const FUNCTION = 'function_call';
/** A call in free text. @internal */
export const CUSTOM = 'custom_tool_call';
/** A tool of a server over there that is to be approved. @internal */
export const APPROVAL = 'mcp_approval_request';

/** @internal */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
