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

declare const IS_LATE: unique symbol;

/** A type that is not inferred, as that of an agent behind the score: messages have its alias. */
export type Late = { readonly [IS_LATE]?: true };

/** What `extract` finds if none stands before the score. Nothing fits. */
export interface WriteExtractBeforeScore {
  readonly [IS_LATE]: 'extract';
}

/** `Inferred` if `Output` is not named. A generic helper names one that TypeScript cannot look into. */
export type GenericNeedsEvalDefinition<Output, Inferred, Named> = unknown extends Output
  ? Inferred
  : Named;

/** The output in what an agent returns; never if it is late. One that is named by a text answers with text. */
type OutputOf<Result> =
  IsAny<Result> extends true
    ? any
    : Result extends Late
      ? never
      : Result extends { readonly output: infer Output }
        ? Exclude<Output, null>
        : string;

/** The outputs of the agent, or of all `agents`. Without one, text. */
export type OutputsOf<Result, Results> = OrText<
  OutputOf<Result> | { readonly [Name in keyof Results]: OutputOf<Results[Name]> }[keyof Results]
>;

type OrText<T> = [T] extends [never] ? string : T;

/** The output that scores get: that of the schema, or of the agents, or any JSON value of a text. */
export type OutputFrom<Output, Format, Outputs> = Said<
  Output,
  'json' extends Format ? any : Outputs
>;

/** The answer that scores get: what `extract` finds, if there is one. */
export type AnswerOf<Found, Output> = Found extends WriteExtractBeforeScore
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
