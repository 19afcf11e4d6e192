import { json } from '@sveltejs/kit';
import { docs, sections } from '../docs.server.js';

export const prerender = true;

export const GET = () => json(docs.flatMap(sections));
