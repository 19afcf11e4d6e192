const NAME = 'lasting-name';
const POSTED = 'lasting-posted';

/** An order that outlasts its page: its name, and what was posted of it, once for each time. */
export class Order {
	name = $state('');
	posted: readonly { operation: string; name: string }[] = $state.raw([]);

	/** @returns the end of the watch over other windows */
	load(): () => void {
		const read = () => {
			this.name = localStorage.getItem(NAME) ?? '';
			this.posted = JSON.parse(localStorage.getItem(POSTED) ?? '[]') as Order['posted'];
		};
		read();
		addEventListener('storage', read);
		return () => removeEventListener('storage', read);
	}

	rename(name: string): void {
		this.name = name;
		localStorage.setItem(NAME, name);
	}

	post(operation: string): void {
		this.posted = [...this.posted, { operation, name: this.name }];
		localStorage.setItem(POSTED, JSON.stringify(this.posted));
	}

	clear(): void {
		localStorage.removeItem(NAME);
		localStorage.removeItem(POSTED);
	}
}
