export type { RelayCode } from './codes.js';
export { toNode, type NodeRequest, type NodeResponse } from './node.js';
export { relay, type Admission, type RelayHandler, type RelayOptions, type RelayReport } from './relay.js';
export { toAnthropic, toOpenAI, toOpenAIResponses, type RelayAccount, type RelayTarget } from './targets.js';
export type { RelayWire } from './wire.js';
