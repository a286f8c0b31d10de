import { lineIf } from './show.ts';

/** An agent and, where its suite has several prompts, the prompt that it was asked with. */
export type Variant = Readonly<{ agent: string; prompt?: string | undefined }>;

export function nameVariant({ agent, prompt }: Variant): string {
  return prompt === undefined ? agent : `${agent}, ${prompt}`;
}

/** How rows name one of several prompts. */
export function labelPrompt(name: string | null, hash: string): string {
  return `${name ?? 'inline'}@${hash.slice(0, 8)}`;
}

/** The file of a variant's prompt, without the hash; '' if its suite has one prompt. */
export function namePrompt({ prompt = '' }: Variant): string {
  return prompt.replace(/@[0-9a-f]{8}$/, '');
}

export function isOfVariant(one: Variant, other: Variant): boolean {
  return one.agent === other.agent && one.prompt === other.prompt;
}

/** How many agents and prompts variants have: "2 agents", "2 prompts", "3 prompts x 2 agents". */
export function countVariants(variants: readonly Variant[]): string {
  const prompts = new Set(variants.flatMap(({ prompt }) => prompt ?? [])).size;
  const agents = new Set(variants.map(({ agent }) => agent)).size;
  const parts = [
    ...lineIf(prompts > 1, `${prompts} prompts`),
    ...lineIf(agents > 1, `${agents} agents`),
  ];
  return parts.join(' x ');
}

/** The fields of a variant alone. */
export function pickVariant({ agent, prompt }: Variant): Readonly<{
  agent: string;
  prompt?: string;
}> {
  return { agent, prompt };
}
