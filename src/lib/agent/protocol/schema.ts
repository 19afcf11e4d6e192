/**
 * Structural twin of Standard Schema v1 with Standard JSON Schema v1. zod 4 and arktype fit as they are, valibot through its
 * `@valibot/to-json-schema` wrapper. Validation must be synchronous and its output plain JSON.
 * @see https://standardschema.dev
 * @since 0.1.0
 */
export interface Schema<Output = unknown> {
	readonly '~standard': {
		readonly version: 1;
		readonly vendor: string;
		readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
		readonly validate: (value: unknown) =>
			| { readonly value: Output; readonly issues?: undefined }
			| {
					readonly issues: readonly {
						readonly message: string;
						readonly path?: readonly unknown[] | undefined;
					}[];
			  }
			| Promise<unknown>;
		readonly jsonSchema: {
			readonly input: (options: { readonly target: string }) => Record<string, unknown>;
			readonly output: (options: { readonly target: string }) => Record<string, unknown>;
		};
	};
}

/** What a schema gives after validation. @since 0.1.0 */
export type OutputOf<S> = S extends {
	readonly '~standard': { readonly types?: { readonly output: infer O } | undefined };
}
	? O
	: never;
