import fc from 'fast-check';

// The same cases on every machine and in every run; others are looked for with SEED=<number>.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20261130) });
