import { textField } from './outside-value.ts';

/**
 * Lets code that the provider runs go on in the container of the reply before: the SDK's loop would ask for a new one
 * with each request, and the files of the earlier steps would be gone.
 */
export class Container {
  #id: string | null = null;

  /** To be told of each reply's own "container". */
  keep(container: unknown): void {
    this.#id = textField(container, 'id') ?? this.#id;
  }

  /** A fetch that names the container in the requests that follow. */
  wrap(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return (input, init) => {
      const body = init?.body;
      if (this.#id === null || typeof body !== 'string') return fetch(input, init);
      return fetch(input, { ...init, body: JSON.stringify({ container: this.#id, ...JSON.parse(body) }) });
    };
  }
}
