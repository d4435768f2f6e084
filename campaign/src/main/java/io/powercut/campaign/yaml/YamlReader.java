// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.powercut.campaign.yaml.YamlNode.Entry;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one YAML document into a located tree. Scalars keep their text as it was written, so that
 * {@code 0x10} and {@code 1e3} reach a command unchanged. A key said twice is reported and its
 * first value kept.
 */
public final class YamlReader {
  private static final int MAXIMUM_DEPTH = 50;

  /**
   * What a text may become when its aliases are replaced by what they stand for. A text of 1 MiB
   * has fewer pieces, and a few lines with aliases of aliases would have more than fit into memory.
   */
  private static final long MOST_PIECES = 1 << 20;

  private static final String STANDARD_TAGS = "tag:yaml.org,2002:";
  private static final YAMLFactory FACTORY =
      YAMLFactory.builder()
          .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
          .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAXIMUM_DEPTH).build())
          .build();

  private final YAMLParser parser;
  private final Origin start;
  private final ProblemSink problems;
  private final Map<String, Anchored> anchors = new HashMap<>();

  /** How many lists and maps the present place is in. */
  private int depth;

  /** The deepest place so far, aliases replaced. */
  private int deepest;

  /** Maps, lists and values so far, aliases replaced. */
  private long pieces;

  /** What an alias stands for, and how deep and large it is. */
  private record Anchored(YamlNode node, int height, long pieces) {}

  private YamlReader(YAMLParser parser, Origin start, ProblemSink problems) {
    this.parser = parser;
    this.start = start;
    this.problems = problems;
  }

  /**
   * Reads a document.
   *
   * @param start where the text begins
   * @return nothing if the text has no content but blanks and comments
   * @throws YamlSyntaxException if the text is not YAML, is more than one document, or nests too
   *     deeply
   */
  public static Optional<YamlNode> read(String text, Origin start, ProblemSink problems)
      throws YamlSyntaxException {
    try (YAMLParser parser = FACTORY.createParser(text)) {
      return new YamlReader(parser, start, problems).document();
    } catch (JsonProcessingException failure) {
      throw YamlFailures.explain(failure, text, start);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot happen: the text is in memory", failure);
    }
  }

  private Optional<YamlNode> document() throws IOException, YamlSyntaxException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return Optional.empty();
    }
    YamlNode root = node(first, "");
    if (parser.nextToken() != null) {
      throw new YamlSyntaxException(
          here(), "a second document begins here; a file must hold only one");
    }
    return Optional.of(root);
  }

  private YamlNode node(JsonToken token, String path) throws IOException, YamlSyntaxException {
    Origin origin = here();
    if (parser.isCurrentAlias()) {
      return aliased(origin);
    }
    if (parser.getTypeId() != null) {
      throw new YamlSyntaxException(
          origin,
          "the tag !"
              + parser.getTypeId().replace(STANDARD_TAGS, "!")
              + " is not understood; remove it");
    }
    String anchor = parser.getObjectId();
    int deepestBefore = deepest;
    long piecesBefore = pieces;
    deepest = depth;
    YamlNode node = unanchored(token, origin, path);
    if (anchor != null) {
      anchors.put(anchor, new Anchored(node, deepest - depth, pieces - piecesBefore));
    }
    deepest = Math.max(deepest, deepestBefore);
    return node;
  }

  private YamlNode unanchored(JsonToken token, Origin origin, String path)
      throws IOException, YamlSyntaxException {
    grow(origin, 0, 1);
    if (token != JsonToken.START_OBJECT && token != JsonToken.START_ARRAY) {
      return scalar(origin, token);
    }
    depth++;
    YamlNode node =
        token == JsonToken.START_OBJECT ? mapping(origin, path) : sequence(origin, path);
    depth--;
    return node;
  }

  private void grow(Origin origin, int height, long more) throws YamlSyntaxException {
    deepest = Math.max(deepest, depth + height);
    pieces += more;
    if (deepest > MAXIMUM_DEPTH) {
      throw new YamlSyntaxException(origin, "with its aliases it is nested too deeply");
    }
    if (pieces > MOST_PIECES) {
      throw new YamlSyntaxException(
          origin, "with its aliases it has more than " + MOST_PIECES + " values");
    }
  }

  private YamlNode aliased(Origin origin) throws IOException, YamlSyntaxException {
    Anchored target = anchors.get(parser.getText());
    if (target == null) {
      throw new YamlSyntaxException(
          origin,
          String.format(
              "the alias *%1$s has no list or map with the anchor &%1$s before it; single values have no anchors",
              parser.getText()));
    }
    grow(origin, target.height(), target.pieces());
    return target.node();
  }

  private Mapping mapping(Origin origin, String path) throws IOException, YamlSyntaxException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      Origin keyOrigin = here();
      String keyPath = path.isEmpty() ? key : path + "." + key;
      Entry entry = new Entry(keyOrigin, node(parser.nextToken(), keyPath));
      Entry earlier = entries.putIfAbsent(key, entry);
      if (earlier != null) {
        problems.report(
            keyOrigin, keyPath, "is given twice, first on line " + earlier.keyOrigin().line());
      }
    }
    return new Mapping(origin, entries);
  }

  private Sequence sequence(Origin origin, String path) throws IOException, YamlSyntaxException {
    List<YamlNode> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      items.add(node(token, path + "." + items.size()));
      token = parser.nextToken();
    }
    return new Sequence(origin, items);
  }

  private Scalar scalar(Origin origin, JsonToken token) throws IOException {
    String text = parser.getText();
    if (token == JsonToken.VALUE_NULL) {
      return new Scalar(origin, text.isEmpty() ? Kind.EMPTY : Kind.NULL, text);
    }
    if (token.isBoolean()) {
      return new Scalar(origin, Kind.BOOLEAN, text);
    }
    return new Scalar(origin, token.isNumeric() ? Kind.NUMBER : Kind.STRING, text);
  }

  private Origin here() {
    JsonLocation location = parser.currentTokenLocation();
    return start.at(location.getLineNr(), location.getColumnNr());
  }
}
