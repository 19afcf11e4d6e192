import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { expect, type Page, test } from '@playwright/test';
import { faults } from './faults.js';
import { card, delegate, invoiceField, open, outcome, until, visit } from './site.js';

const KEY = 'sk-demo-0123456789abcdef';
const NAME = 'provider-model-1';
const values = { supplier: 'Told by the server', amount: 77.5, costCentre: '4410' };

test.describe.configure({ mode: 'serial' });

/** Any port that is free now. */
const freePort = () =>
	new Promise<number>((resolve) => {
		const server = createServer().listen(0, 'localhost', () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});

/** The demo as `npm run demo` serves it where the environment names a provider. */
async function demo(env: Record<string, string>): Promise<{ url: string; process: ChildProcess }> {
	const url = `http://localhost:${await freePort()}`;
	const process_ = spawn(
		process.execPath,
		['node_modules/vite/bin/vite.js', 'preview', '--port', new URL(url).port, '--strictPort'],
		{ env: { ...process.env, ...env }, stdio: 'ignore' }
	);
	await expect(async () => expect((await fetch(url)).ok).toBe(true)).toPass({ timeout: 20_000 });
	return { url, process: process_ };
}

/** Opens the demo and lets the model answer. */
async function speak(page: Page, url: string): Promise<void> {
	await visit(page, url);
	await page.getByLabel(NAME).check();
	await page.locator('input[type=radio][value=fill]').check();
	await page.locator('[data-letter="live"]').waitFor();
}

const providers = {
	'an OpenAI-compatible server': (url: string) => ({
		OPENAI_BASE_URL: `${url}/v1`,
		OPENAI_API_KEY: KEY,
		OPENAI_MODEL: NAME,
		ANTHROPIC_API_KEY: ''
	}),
	Anthropic: (url: string) => ({
		OPENAI_BASE_URL: '',
		OPENAI_API_KEY: '',
		ANTHROPIC_BASE_URL: url,
		ANTHROPIC_API_KEY: KEY,
		ANTHROPIC_MODEL: NAME
	})
};

/** Words of an adapter, by which a script that holds it is told. */
const ADAPTERS: Record<string, string> = {
	'an OpenAI-compatible server': 'max_completion_tokens',
	Anthropic: 'anthropic-version'
};

/** Everything a page is sent, as text. */
function watch(page: Page): string[] {
	const seen: string[] = [];
	page.on('response', (response) => {
		void response.text().then(
			(text) => seen.push(`${JSON.stringify(response.headers())}${text}`),
			() => undefined
		);
	});
	return seen;
}

for (const [name, envOf] of Object.entries(providers))
	test.describe(`with the key of ${name}`, () => {
		const adapter = ADAPTERS[name]!;
		let mock: LLMock;
		let served: { url: string; process: ChildProcess };

		test.beforeAll(async () => {
			mock = new LLMock({ port: 0, host: '127.0.0.1', auth: { apiKeys: [KEY] } });
			const fill = { name: 'form__fill', arguments: { instance: 'invoice', values } };
			mock.on(
				{ predicate: ({ messages }) => messages.every(({ role }) => role !== 'tool') },
				{ toolCalls: [fill] }
			);
			mock.on({ predicate: () => true }, { content: 'The server says: it is filled in.' });
			await mock.start();
			served = await demo(envOf(mock.url));
		});
		test.afterAll(async () => {
			served.process.kill();
			await mock.stop();
		});

		test('the form is filled through the gate by a call from the server, and the key stays there', async ({
			page
		}) => {
			const seen = watch(page);
			await speak(page, served.url);
			await delegate(page);
			await until(page, 'reviewing');
			await expect(card(page)).toContainText('Told by the server');
			await expect(invoiceField(page, 'Supplier')).toHaveValue('');

			await card(page).locator('[data-action="decide"]').click();
			await until(page, 'returned');
			expect(await outcome(page)).toBe('completed');
			await expect(invoiceField(page, 'Supplier')).toHaveValue('Told by the server');
			await expect(invoiceField(page, 'Amount')).toHaveValue('77.5');
			await expect(page.getByText('The server says: it is filled in.').first()).toBeVisible();
			// Two turns, under the key and the model of the environment.
			expect(mock.getRequests()).toHaveLength(2);
			expect(mock.getLastRequest()?.body).toMatchObject({ model: NAME });
			const all = seen.join('\n');
			expect(all).toContain(adapter);
			expect(all).not.toContain(KEY);
		});

		test('the script answers until somebody says otherwise', async ({ page }) => {
			mock.clearRequests();
			await visit(page, served.url);
			await expect(page.getByLabel(NAME)).not.toBeChecked();
			await expect(page.getByLabel('Scripted')).toBeChecked();
			await page.locator('[data-letter="live"]').waitFor();
			await page.getByLabel('Pace').selectOption('instant');
			await delegate(page);
			await until(page, 'reviewing');
			await expect(card(page)).toContainText('Talleres Ibarra S.L.');
			expect(mock.getRequests()).toEqual([]);
		});

		test('a page of another origin may not ask', async ({ request }) => {
			const response = await request.post(`${served.url}/api/agent`, {
				headers: { origin: 'https://evil.example' },
				data: { messages: [] }
			});
			expect([response.status(), (await response.json()).error.code]).toEqual([403, 'origin']);
		});
	});

test('S2-81 without a key there is no switch, and no adapter is loaded', async ({ page }) => {
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	const seen = watch(page);
	await open(page, 'fill');
	await expect(page.locator('[data-answers]')).toHaveCount(0);
	await delegate(page);
	await until(page, 'reviewing');
	expect(asked.filter((url) => url.includes('/api/'))).toEqual([]);
	expect(asked.some((url) => url.endsWith('/model.json'))).toBe(true);
	const all = seen.join('\n');
	expect(all).toContain('Talleres Ibarra');
	for (const words of Object.values(ADAPTERS)) expect(all).not.toContain(words);
});

test('the switch speaks both languages, and has no fault', async ({ page }) => {
	await page.route('**/model.json', (route) =>
		route.fulfill({ json: { model: NAME, format: 'openai', url: '/api/agent' } })
	);
	await visit(page, '/');
	await page.getByRole('group', { name: 'Who answers' }).getByLabel(`Model ${NAME}`).check();
	await page.getByLabel('Language').selectOption('es');
	const model = page.getByRole('group', { name: 'Quién responde' }).getByLabel(`Modelo ${NAME}`);
	// Another language is another desk; who answers stays.
	await expect(model).toBeChecked();
	await expect(page.getByText('Un modelo decide por sí mismo.')).toBeVisible();
	expect(await faults(page)).toEqual([]);
});
