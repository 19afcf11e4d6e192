import type { MarkdownWords } from '../language.js';

export const markdown: MarkdownWords = {
	table: 'Tabla',
	code: (language) => (language === '' ? 'Código' : `Código, ${language}`),
	copy: 'Copiar',
	copied: 'Copiado.',
	notCopied: 'El navegador no permitió copiar.',
	picture: (alt) => (alt === '' ? 'Una imagen' : `Una imagen: ${alt}`),
	load: (host) => `Cargarla desde ${host}`,
	notLoaded: (host) => `No se pudo cargar nada desde ${host}.`,
	byHand: 'Una imagen se carga cuando una persona lo pide.',
	newTab: 'se abre en otra pestaña',
	done: 'Hecho:',
	open: 'Pendiente:'
};
