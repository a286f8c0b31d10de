// biome-ignore-all lint/suspicious/noExplicitAny: any is what has no type, as the records of a file.

/**
 * What TypeScript infers of a suite, in the order in which it decides: what the user or a schema says,
 * then `map`, then the records; of an output what a schema says, then the agents.
 */

/** What `Own` says. It says nothing if it is unknown: then `Other`. */
export type Said<Own, Other> = unknown extends Own ? (IsAny<Own> extends true ? Own : Other) : Own;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The record of which samples are made: what `map` returns, if there is one. */
export type Made<Row, Mapped> = [Mapped] extends [never] ? Row : Mapped;

/** Whether the fields of records are not known: those of a file, or `Record<string, unknown>`. */
type IsOpen<Row> = IsAny<Row> extends true ? true : string extends keyof Row ? true : false;

/** A field of each kind of record that has it; never without one. */
type FieldOf<Row, Name extends string> = Row extends unknown
  ? Name extends keyof Row
    ? Exclude<Row[Name], undefined>
    : never
  : never;

type OrAny<T> = [T] extends [never] ? any : T;

/** The input in records. That of a conversation is a text. Fields of other names are any. */
export type InputOf<Row> =
  IsOpen<Row> extends true
    ? any
    : OrAny<FieldOf<Row, 'input'> | ([FieldOf<Row, 'turns'>] extends [never] ? never : string)>;

export type TargetOf<Row> =
  IsOpen<Row> extends true ? any : OrAny<Exclude<FieldOf<Row, 'target'>, null>>;

/** A record as scores get it. */
export type RecordOf<Row> =
  IsAny<Row> extends true ? Readonly<Record<string, unknown>> : Readonly<Row>;

/** The fields of a record that become other fields of a sample. */
type Read =
  | 'id'
  | 'input'
  | 'target'
  | 'turns'
  | 'choices'
  | 'multiple'
  | 'attachments'
  | 'metadata';

type OmitRead<Row> = Row extends unknown
  ? { readonly [Name in keyof Row as Name extends Read ? never : Name]: Row[Name] }
  : never;

/** All other fields of a record, and those of its own `metadata`. */
export type MetadataOf<Row> =
  IsOpen<Row> extends true
    ? Readonly<Record<string, unknown>>
    : [FieldOf<Row, 'metadata'>] extends [never]
      ? OmitRead<Row>
      : OmitRead<Row> & FieldOf<Row, 'metadata'>;

/** The output in what an agent returns. An agent that is named by a text answers with text. */
type OutputOf<Result> = [Result] extends [never]
  ? string
  : IsAny<Result> extends true
    ? any
    : Result extends { readonly output: infer Output }
      ? Exclude<Output, null>
      : string;

/** The outputs of the agent, or of all `agents`. */
export type OutputsOf<Result, Results> = [Result] extends [never]
  ? [keyof Results] extends [never]
    ? string
    : { readonly [Name in keyof Results]: OutputOf<Results[Name]> }[keyof Results]
  : OutputOf<Result>;

/** The output that scores get: that of the schema, or of the agents, or any JSON value of a text. */
export type OutputFrom<Output, Format, Outputs> = Said<
  Output,
  'json' extends Format ? any : OrAny<Outputs>
>;

/** The answer that scores get: what `extract` finds, if there is one. */
export type AnswerOf<Found, Output> = [Found] extends [never]
  ? Output
  : Found extends { readonly answer: infer Answer; readonly how: string }
    ? NonNullable<Answer>
    : NonNullable<Found>;

/** What `pass` gets: the values of `scores` by their names, or that of the only `score`. */
export type ScoreValues<Value, Values> =
  IsAny<Value> extends true
    ? { readonly [Name in keyof Values]: ScoreValue<Values[Name]> }
    : { readonly score: ScoreValue<Value> };

/** The value of a score: a number, null, or whether it holds. */
type ScoreValue<Result> =
  IsAny<Result> extends true
    ? any
    : unknown extends Result
      ? boolean
      : Result extends number | { readonly score: number | null }
        ? number
        : Result extends null
          ? null
          : boolean;
