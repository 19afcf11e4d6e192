export { agentHue } from './hue.js';
