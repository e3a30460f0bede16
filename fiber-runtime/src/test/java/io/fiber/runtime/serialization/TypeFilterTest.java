// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeFilterTest {

    record Mine(List<String> names, Optional<String> none) implements Serializable {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.rmi.server.UnicastRemoteObject",
                "java.rmi.server.RemoteObjectInvocationHandler",
                "java.rmi.server.UID",
                "java.rmi.RemoteException",
                "java.rmi.MarshalledObject",
                "javax.management.BadAttributeValueExpException",
                "javax.management.openmbean.TabularDataSupport",
                "javax.naming.InitialContext",
                "javax.naming.CompositeName",
                "javax.naming.NamingException",
                "javax.swing.event.EventListenerList",
                "javax.swing.JPanel",
                "javax.script.ScriptException",
                "javax.sql.rowset.serial.SerialBlob",
                "com.sun.rowset.JdbcRowSetImpl",
                "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                "com.sun.jndi.ldap.LdapCtx",
                "sun.reflect.annotation.AnnotationInvocationHandler",
                "sun.rmi.server.UnicastRef",
                "java.net.URL",
                "java.awt.Point",
                "java.beans.beancontext.BeanContextSupport",
                "java.lang.ProcessBuilder",
                "java.lang.Runtime",
                "java.lang.reflect.Method",
                "java.security.SignedObject",
                "java.security.KeyRep",
                "java.util.logging.Level"
            })
    void carriersOfTheJdkAreRefused(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, getClass().getClassLoader());

        assertThat(TypeFilter.standard().checkInput(info(type))).isEqualTo(ObjectInputFilter.Status.REJECTED);
        assertThat(TypeFilter.standard().checkInput(info(type.arrayType())))
                .isEqualTo(ObjectInputFilter.Status.REJECTED);
    }

    @Test
    void aCarrierIsRefusedInTheMiddleOfAGraph() throws Exception {
        Class<?> handler = Class.forName("sun.reflect.annotation.AnnotationInvocationHandler");
        Payload payload = Serializing.written(annotatedMethod().getAnnotation(Test.class));

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(payload))
                .withMessage("FBR-204 Cannot read argument 17 of map on the worker: " + handler.getName()
                        + " is not allowed: of the JDK only values and collections are read; "
                        + "put what it holds into a record of your own.");
        assertThat(InvocationHandler.class).isAssignableFrom(handler);
    }

    @SuppressWarnings({"JavaUtilDate", "JdkObsolete", "UnnecessaryStringBuilder"})
    static List<Object> values() throws Exception {
        return List.of(
                new Object[] {1, 1L, 1.5, 1.5f, (byte) 1, (short) 1, 'c', true, "s", new int[] {1}},
                new Integer[] {1},
                new Number[] {1},
                new Comparable<?>[] {"x"},
                new CharSequence[] {"x"},
                new String[][] {{"x"}},
                new StringBuilder("sb"),
                List.of(BigDecimal.ONE, BigInteger.TEN, MathContext.DECIMAL64),
                List.of(
                        Instant.EPOCH,
                        Duration.ofSeconds(1),
                        LocalDate.of(2020, 1, 1),
                        ZonedDateTime.of(2020, 1, 1, 1, 1, 1, 1, ZoneId.of("Europe/Zurich"))),
                List.of(UUID.randomUUID(), new Date(), new BitSet(3), Locale.ROOT, Currency.getInstance("EUR")),
                new GregorianCalendar(TimeZone.getTimeZone("Europe/Zurich")),
                new java.text.DecimalFormat("0.00"),
                new java.sql.Timestamp(1),
                List.of(URI.create("http://localhost/"), InetAddress.getLoopbackAddress(), new java.io.File("f")),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                new ArrayList<>(List.of(1)),
                new LinkedList<>(List.of(1)),
                Arrays.asList(1, 2),
                List.of(1, 2, 3),
                Set.of(1, 2, 3),
                Map.of(1, 2),
                Map.of(1, 2, 3, 4),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
                new TreeMap<>(Map.of("b", 1)),
                new LinkedHashMap<>(Map.of("b", 1)),
                new TreeMap<>(Collections.reverseOrder()),
                EnumSet.of(TimeUnit.DAYS),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
                new Random(1),
                new ConcurrentHashMap<>(Map.of(1, 2)),
                new ConcurrentSkipListMap<>(Map.of(1, 2)),
                new CopyOnWriteArrayList<>(List.of(1)),
                new LinkedBlockingQueue<>(List.of(1)),
                List.of(new AtomicInteger(1), new AtomicReference<>("x"), new LongAdder(), new ReentrantLock()),
                List.of(Thread.State.NEW, java.nio.file.StandardOpenOption.READ),
                Pattern.compile("a+"),
                new IllegalStateException("x", new java.io.IOException("y")),
                new java.sql.SQLException("z"),
                new ArrayStoreException(),
                String.class);
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesAndCollectionsOfTheJdkAreAllowed(Object value) {
        Object back = Serializing.travelled(value);

        assertThat(back).hasSameClassAs(value);
    }

    @Test
    void theFilterOfTheJvmNeverAllowsMore() {
        TypeFilter filter = new TypeFilter(ObjectInputFilter.Config.createFilter("*"));

        assertThat(filter.checkInput(info(java.net.URL.class))).isEqualTo(ObjectInputFilter.Status.REJECTED);
    }

    @Test
    void theFilterOfTheJvmMustAllowToo() {
        ObjectInputFilter jvm = ObjectInputFilter.Config.createFilter("!java.util.BitSet");
        TypeFilter filter = new TypeFilter(jvm);
        ValueCodec codec = new ValueCodec(Serializing.serializer(getClass().getClassLoader(), filter), Side.MASTER);
        Payload bits = Serializing.written(new BitSet());

        assertThat(codec.read(Serializing.written(List.of(1)).open())).isEqualTo(List.of(1));
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> codec.read(bits.open(), Serializing.ARGUMENT, 3))
                .withMessage(
                        "FBR-204 Cannot read argument 3 of map on the master: java.util.BitSet is not allowed by this "
                                + "JVM's jdk.serialFilter '!java.util.BitSet'; add a pattern that allows it in front.");
    }

    @Test
    void limitOfReferencesIsNamed() {
        assertThat(TypeFilter.standard().refusal(info(Mine.class, 100_000_000))).isNull();
        assertThat(TypeFilter.standard().refusal(info(Mine.class, 100_000_001)))
                .isEqualTo("there are more than 100000000 references to objects; send it in parts");
    }

    @Test
    void classesOfTheProgramAreAllowed() {
        assertThat(TypeFilter.standard().checkInput(info(Mine.class))).isEqualTo(ObjectInputFilter.Status.ALLOWED);
        assertThat(TypeFilter.standard().checkInput(info(Mine[][].class))).isEqualTo(ObjectInputFilter.Status.ALLOWED);
        assertThat(TypeFilter.standard().checkInput(info(null))).isEqualTo(ObjectInputFilter.Status.UNDECIDED);
    }

    private static java.lang.reflect.Method annotatedMethod() throws NoSuchMethodException {
        return TypeFilterTest.class.getDeclaredMethod("classesOfTheProgramAreAllowed");
    }

    private static ObjectInputFilter.FilterInfo info(@Nullable Class<?> type) {
        return info(type, 1);
    }

    private static ObjectInputFilter.FilterInfo info(@Nullable Class<?> type, long references) {
        return new ObjectInputFilter.FilterInfo() {
            @Override
            public @Nullable Class<?> serialClass() {
                return type;
            }

            @Override
            public long arrayLength() {
                return -1;
            }

            @Override
            public long depth() {
                return 1;
            }

            @Override
            public long references() {
                return references;
            }

            @Override
            public long streamBytes() {
                return 1;
            }
        };
    }
}
