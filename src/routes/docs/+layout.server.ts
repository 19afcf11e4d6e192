import { docs } from './docs.server.js';

export const load = () => ({ pages: docs.map(({ slug, title, summary }) => ({ slug, title, summary })) });
