// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.CallOptions;
import io.fiber.ChangedCode;
import io.fiber.runtime.journal.FunctionKey;
import io.fiber.runtime.journal.ItemDigest;
import io.fiber.runtime.journal.JournaledFunction;
import io.fiber.runtime.journal.Journals;
import io.fiber.runtime.platform.Sha256;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.serialization.functions.FunctionName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/** Finds the functions of calls in their journals. Thread-safe. */
public final class CallJournals {

    private static final ValueName FUNCTION = new ValueName("the function", "a call");

    private final Journals journals;
    private final String serializer;

    /** Creates it for a session whose values are written by this serializer. */
    public CallJournals(Journals journals, String serializer) {
        this.journals = journals;
        this.serializer = serializer;
    }

    /**
     * Returns a function in the journal that the options name; empty if they name none.
     *
     * @throws io.fiber.FiberException FBR-580 to 583, FBR-585
     */
    Optional<JournaledFunction> find(Object function, CallOptions options, SessionContext context) {
        if (options.journal().isEmpty()) {
            return Optional.empty();
        }
        FunctionKey key = new FunctionKey(
                identity(function, context),
                FunctionName.of(function).toString(),
                context.codecs().values().codeOf(function));
        return Optional.of(journals.open(options.journal().get())
                .function(key, options.changedCode().orElse(ChangedCode.REJECT)));
    }

    /** Values that another serializer or version of Fiber wrote may mean something else. */
    private String identity(Object function, SessionContext context) {
        MessageDigest sha256 = Sha256.newDigest();
        sha256.update((serializer + " " + Protocol.VERSION + " ").getBytes(StandardCharsets.UTF_8));
        PayloadInput in = context.codecs().values().identityOf(function, FUNCTION);
        while (in.remaining() > 0) {
            int count = (int) Math.min(in.remaining(), 1 << 16);
            byte[] bytes = in.take(count);
            sha256.update(bytes, in.taken(), count);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** Returns the digest of an item that is all of {@code out}. */
    static ItemDigest digestOf(PayloadOutput out) {
        MessageDigest sha256 = Sha256.newDigest();
        out.digest(0, sha256);
        return ItemDigest.of(sha256.digest());
    }
}
